import { countResidents } from "./check-machine.ts";
import type { SimulatedCluster } from "./cluster.ts";
import { type Violation, toViolations } from "./violations.ts";

/** Browsers that have no row are a mistake when they are counted so often in a row: opening and closing take a moment. */
const MOST = 5;

/**
 * Counts the browsers of each worker and their rows, while they open and close.
 * @param excess How often in a row a worker had more browsers than rows, by its id.
 */
export async function checkResidents(cluster: SimulatedCluster, excess: Map<string, number>): Promise<Violation[]> {
  const counts = new Map(cluster.workers.map((worker) => [worker, countResidents(worker)]));
  const rows = await cluster.cluster
    .query<{ worker: string; n: number }>("select worker, count(*)::int as n from browsers group by 1")
    .catch(() => undefined);
  // The database restarts.
  if (rows === undefined) return [];
  return cluster.workers.flatMap((machine) => {
    const residents = counts.get(machine) ?? 0;
    const known = rows.find(({ worker }) => worker === machine.id)?.n ?? 0;
    const times = residents > known ? (excess.get(machine.id) ?? 0) + 1 : 0;
    excess.set(machine.id, times);
    const facts = times === MOST ? [{ server: machine.name, residents, rows: known }] : [];
    return toViolations("11", "A worker has browsers without a row", facts);
  });
}
