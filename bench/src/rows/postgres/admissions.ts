import { randomBytes } from "node:crypto";
import { toTimeOrderedId } from "../../../../server/src/domain/time-ordered-id.ts";
import { type BrowserStore, newPostgresStore, UNLIMITED } from "../../../../server/test/interface.ts";
import type { Row } from "../../bench.ts";
import { interleave } from "../../measure/interleave.ts";
import { medianOf } from "../../measure/statistics.ts";
import { toFigure } from "../../report/comparison.ts";
import { perSecond } from "../../report/units.ts";
import { newRandom } from "../../subjects/browsers/arrivals.ts";
import { createPgbench, measurePgbench, measureSyncs } from "../../subjects/databases/postgres.ts";
import { createAccounts } from "../../subjects/databases/stored-accounts.ts";

const ROUNDS = { rounds: 7, warmUps: 1 };
const ROUND_S = 3;
/** Number of concurrent clients, which is also the size of the store's connection pool. */
const CLIENTS = 8;
const ACCOUNTS = 1000;
/** Creates a million rows, so clients rarely wait for each other. */
const PGBENCH_SCALE = 10;
const MIN_RATIO = 0.4;

/** Reservations of browsers in a PostgreSQL store, compared with updates by `pgbench`. */
export const admissions: Row = {
  name: "admissions",
  async measure(bench) {
    await using postgres = await bench.newPostgres();
    const pgbench = await createPgbench(postgres, PGBENCH_SCALE);
    const { store } = await newPostgresStore(postgres, undefined, CLIENTS);
    await using opened = store;
    const accountIds = await createAccounts(opened, ACCOUNTS);
    const random = newRandom(1);
    const pick = (): string => accountIds[Math.floor(random() * accountIds.length)] ?? "";
    const rates = await interleave(
      {
        pgbench: () => measurePgbench(postgres, pgbench, { clients: CLIENTS, seconds: ROUND_S }),
        reserve: () => measureReservations(opened.browsers, pick),
        syncs: () => measureSyncs(postgres),
      },
      ROUNDS,
      bench.report,
    );
    const comparison = {
      name: `PostgreSQL: admissions for ${ACCOUNTS.toLocaleString("en")} accounts over ${CLIENTS} connections`,
      ...{ unit: perSecond, baseline: "pgbench -N", atLeast: MIN_RATIO, of: "pgbench -N" },
      note: `, pg_test_fsync's fdatasync ${perSecond(medianOf(rates.syncs))}`,
    };
    return [toFigure(comparison, { ours: rates.reserve, base: rates.pgbench })];
  },
};

/** @param pick Returns the next browser's account. @returns Reservations per second. */
async function measureReservations(browsers: BrowserStore, pick: () => string): Promise<number> {
  const startedMs = performance.now();
  const endMs = startedMs + ROUND_S * 1000;
  let reserved = 0;
  const facts = {
    version: 0,
    kind: "chromium",
    isHeadless: true,
    tags: [],
    label: undefined,
    requestedAt: new Date(),
    period: "2026-11",
  } as const;
  const client = async (): Promise<void> => {
    while (performance.now() < endMs) {
      const browserId = `br_${toTimeOrderedId(new Date(), randomBytes(16))}`;
      const refusal = await browsers.reserve({ browserId, accountId: pick(), ...facts }, UNLIMITED);
      if (refusal !== undefined) throw new Error(`The store rejected a browser: ${JSON.stringify(refusal)}`);
      reserved += 1;
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return (reserved / (performance.now() - startedMs)) * 1000;
}
