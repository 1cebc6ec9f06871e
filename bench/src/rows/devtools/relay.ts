import type { Bench, Row } from "../../bench.ts";
import { DevtoolsClient } from "../../devtools/client.ts";
import { attachToPage } from "../../devtools/page.ts";
import { ROUNDS, interleave, type Side } from "../../measure/interleave.ts";
import { differences, medianOf } from "../../measure/statistics.ts";
import { toFigure } from "../../report/comparison.ts";
import type { Figure } from "../../report/figure.ts";
import { ms, perSecond, signed, times, us, type Unit } from "../../report/units.ts";
import { type Cluster, startCluster } from "../../subjects/processes/cluster.ts";
import { connectThroughPipe, openBrowser } from "../../subjects/browsers/open-browser.ts";
import { downWork, pipelinedWork, upWork, type Work } from "./bulk.ts";
import { timeCallUs } from "./call.ts";

const MAX_COST = 1.3;

const callWork: Work = async (client) => () => timeCallUs(client);

/**
 * The cost of relaying connections through a front-end: the same work through the front-end, through a bare splice, and
 * over a direct connection to the worker. All three connections reach the same browser.
 */
export const relay: Row = {
  name: "relay",
  async measure(bench) {
    await using postgres = await bench.newPostgres();
    await using cluster = await startCluster(bench, await postgres.createDatabase());
    const bulk = [
      { title: "20,000 pipelined Runtime.evaluate", work: pipelinedWork, unit: perSecond },
      { title: "download of 5 MB over DevTools", work: downWork, unit: ms },
      { title: "upload of 5 MB over DevTools", work: upWork, unit: ms },
    ];
    const figures = [await measureAdded(bench, cluster)];
    for (const one of bulk) figures.push(await measureBulk(bench, cluster, one));
    return figures;
  },
};

type Ways = Record<"worker" | "splice" | "front", number[]>;

async function measureWays(bench: Bench, { front, workerPort }: Cluster, work: Work): Promise<Ways> {
  await using browser = await openBrowser(front, { Browser: 2, Headless: true });
  const { pathname } = browser.address;
  using direct = await DevtoolsClient.connect({ host: "127.0.0.1", port: workerPort }, pathname);
  await using splice = await connectThroughPipe(workerPort, pathname, bench.newFolder());
  const prepare = async (client: DevtoolsClient): Promise<Side> => work(client, await attachToPage(client));
  const sides = {
    worker: await prepare(direct),
    splice: await prepare(splice.client),
    front: await prepare(browser.client),
  };
  return await interleave(sides, ROUNDS, bench.report);
}

async function measureAdded(bench: Bench, cluster: Cluster): Promise<Figure> {
  const measured = await measureWays(bench, cluster, callWork);
  const spliceAdds = differences(measured.splice, measured.worker);
  const adds = differences(measured.front, measured.worker);
  // Divide the medians: calls are so short that a single round's difference can be near zero.
  const cost = medianOf(adds) / medianOf(spliceAdds);
  return {
    name: "time added to a DevTools call by a front-end",
    ours: signed(us)(medianOf(adds)),
    baseline: `a bare splice ${signed(us)(medianOf(spliceAdds))} (the worker ${us(medianOf(measured.worker))})`,
    compared: times(cost),
    target: `≤ ${MAX_COST} × a bare splice`,
    isMet: cost <= MAX_COST,
  };
}

type Wanted = { readonly title: string; readonly work: Work; readonly unit: Unit };

async function measureBulk(bench: Bench, cluster: Cluster, { title, work, unit }: Wanted): Promise<Figure> {
  const { front, splice } = await measureWays(bench, cluster, work);
  const comparison = { name: `${title} through a front-end`, unit, baseline: "a bare splice" };
  const limit = { atMost: MAX_COST, of: "a bare splice's time", ...(unit === perSecond ? { speed: "" as const } : {}) };
  return toFigure({ ...comparison, ...limit }, { ours: front, base: splice });
}
