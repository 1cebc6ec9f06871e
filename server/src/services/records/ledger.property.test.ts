import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type LedgerDatabase,
  openPostgresDatabases,
  openSqliteDatabases,
} from "../../../test/support/databases/ledger-databases.ts";
import { type Disk, LedgerModel } from "../../../test/support/databases/ledger-model.ts";
import { startServer, toAccount } from "../../../test/support/databases/ledger-server.ts";
import { ALL_BROWSERS } from "../../../test/support/browsers/stored-browser.ts";
import type { Store } from "../../ports/store/store.ts";
import { HAS_VARIANTS } from "../../../test/support/variants.ts";

const ACCOUNTS = ["one", "other"] as const;
/** Start times shortly before a month ends in UTC, on a leap day, and in the middle of a month. */
const STARTS = [
  "2026-10-31T23:56:07.250Z",
  "2026-12-31T23:57:59.999Z",
  "2028-02-29T23:57:00.000Z",
  "2026-11-21T10:00:00Z",
];

type Step =
  | { readonly type: "open"; readonly account: number; readonly fails: "never" | "at commit" | "forever" }
  | { readonly type: "pass" | "outage"; readonly ms: number }
  | { readonly type: "close"; readonly which: number }
  | { readonly type: "disk"; readonly disk: Disk }
  | { readonly type: "charge elsewhere"; readonly late: number }
  | { readonly type: "crash" | "restart" };

const open = fc.record({
  type: fc.constant("open" as const),
  account: fc.nat({ max: 1 }),
  fails: fc.constantFrom(
    "never" as const,
    "never" as const,
    "never" as const,
    "at commit" as const,
    "forever" as const,
  ),
});
const pass = fc.record({
  type: fc.constant("pass" as const),
  ms: fc.oneof(fc.integer({ min: 1, max: 300_000 }), fc.constantFrom(60_000, 59_999, 5000, 120_000)),
});
/** The disk is full for `ms`. */
const outage = fc.record({ type: fc.constant("outage" as const), ms: fc.integer({ min: 1, max: 200_000 }) });
const step: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: pass, weight: 6 },
  { arbitrary: outage, weight: 2 },
  { arbitrary: open, weight: 4 },
  { arbitrary: fc.record({ type: fc.constant("close" as const), which: fc.nat({ max: 5 }) }), weight: 3 },
  {
    arbitrary: fc.record({ type: fc.constant("disk" as const), disk: fc.constantFrom<Disk>("works", "full", "torn") }),
    weight: 2,
  },
  { arbitrary: fc.record({ type: fc.constantFrom("crash" as const, "restart" as const) }), weight: 1 },
  {
    arbitrary: fc.record({ type: fc.constant("charge elsewhere" as const), late: fc.nat({ max: 1 }) }),
    weight: 1,
  },
);

test.each([
  { engine: "SQLite", numRuns: HAS_VARIANTS ? 120 : 15, openDatabases: openSqliteDatabases },
  { engine: "PostgreSQL", numRuns: HAS_VARIANTS ? 80 : 5, openDatabases: openPostgresDatabases },
])(
  "on $engine, each started minute that can be stored is charged exactly once in any sequence of steps",
  async ({ numRuns, openDatabases }) => {
    await using databases = await openDatabases();
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...STARTS),
        fc.array(step, { minLength: 4, maxLength: 30 }),
        async (start, steps) => {
          await using database = await databases.next();
          await play(database, new Date(start), steps);
        },
      ),
      { numRuns },
    );
  },
);

/** Runs servers one after another on the same database, alongside a second process and the model. */
async function play(database: LedgerDatabase, start: Date, steps: readonly Step[]): Promise<void> {
  const model = new LedgerModel(start);
  await using secondStore = await database.openStore("worker-2");
  for (const id of ACCOUNTS) await addAccount(secondStore, id, start);
  const reader = toReader(database);
  let ids = 0;
  let server = await startServer(database, start.toISOString());
  try {
    for (const one of steps) {
      switch (one.type) {
        case "open": {
          const id = `b${(ids += 1)}`;
          const accountId = ACCOUNTS[one.account] ?? "one";
          const outcome = await server.open(id, accountId, one.fails);
          if (outcome === "open") model.open(id, accountId);
          if (outcome === "kept") model.keepReservation();
          break;
        }
        case "pass":
          await server.clock.pass(one.ms);
          model.pass(one.ms, server.disk);
          break;
        case "outage":
          server.disk = "full";
          await server.clock.pass(one.ms);
          model.pass(one.ms, server.disk);
          server.disk = "works";
          break;
        case "close": {
          const { id } = model.alive[one.which] ?? {};
          if (id === undefined) break;
          await server.end(id, "requested");
          model.end(id, "requested", server.disk);
          break;
        }
        case "disk":
          server.disk = one.disk;
          break;
        case "charge elsewhere":
          await expectChargedElsewhere(secondStore, model, one.late);
          break;
        case "restart":
        case "crash":
          // Minutes that still can't be written at the end are lost, as after a crash.
          for (const { id } of one.type === "restart" ? model.alive : []) {
            await server.end(id, "shutdown");
            model.end(id, "shutdown", server.disk);
          }
          await server.store[Symbol.asyncDispose]();
          server = await startServer(database, server.clock.now().toISOString());
          model.lose();
      }
      await reader.check(model);
    }
  } finally {
    await server.store[Symbol.asyncDispose]();
  }
}

async function addAccount(store: Store, id: string, createdAt: Date): Promise<void> {
  await store.accounts.create({ ...toAccount(id), createdAt }, {});
}

/** Expects another process to charge the browsers' started minutes, except for the last `late` minutes. */
async function expectChargedElsewhere(secondStore: Store, model: LedgerModel, late: number): Promise<void> {
  const started = model.alive.map((one) => ({ browserId: one.id, minutes: one.started - late }));
  expect(await secondStore.browsers.charge(started)).toBe(model.chargeElsewhere(late));
}

/** Reads the tables directly. */
function toReader({ read }: LedgerDatabase) {
  let before: object[] = [];
  return {
    async check(model: LedgerModel): Promise<void> {
      const written = await read("select * from ledger");
      // The ledger is append-only: earlier rows never change.
      expect(written).toEqual(expect.arrayContaining(before));
      before = written;
      expect(await read("select browser_id, account_id, day, units from ledger order by 1, 2, 3")).toEqual(
        countEqual(model.minutes("ended")),
      );
      expect(await read("select account_id, day, units from daily_usage order by 1, 2")).toEqual(
        countEqual(model.minutes("all").map(({ account_id, day }) => ({ account_id, day }))),
      );
      const known = `select id, state, closed_at, reason, charged from ${ALL_BROWSERS} where state <> 'opening'`;
      expect(await read(`${known} order by cast(substr(id, 2) as integer)`)).toEqual(model.rows);
      expect(await read("select account_id, opening, open, units from account_load order by 1")).toEqual(
        await read(COUNTED_LOAD),
      );
    },
  };
}

/** Each account's expected row, computed from the other tables. */
const COUNTED_LOAD = `
  select account_id,
    (select cast(count(*) as integer) from browsers where account_id = load.account_id and state = 'opening') as opening,
    (select cast(count(*) as integer) from browsers where account_id = load.account_id and state = 'open') as open,
    (select cast(coalesce(sum(units), 0) as integer) from daily_usage where account_id = load.account_id
      and substr(day, 1, 7) = (select max(substr(day, 1, 7)) from daily_usage where account_id = load.account_id)) as units
  from account_load as load order by 1`;

/** Groups equal rows and counts them. */
function countEqual<Row extends object>(rows: readonly Row[]): (Row & { units: number })[] {
  const sums = new Map<string, number>();
  for (const row of rows) {
    const key = JSON.stringify(row);
    sums.set(key, (sums.get(key) ?? 0) + 1);
  }
  return [...sums]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, units]) => ({ ...(JSON.parse(key) as Row), units }));
}
