import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { FakeClock } from "../../../test/fakes/fake-clock.ts";
import { RecordingLog } from "../../../test/fakes/recording-log.ts";
import { RecordingMetrics } from "../../../test/fakes/recording-metrics.ts";
import { ALL_BROWSERS, UNLIMITED } from "../../../test/support/stored-browser.ts";
import { type Disk, LedgerModel } from "../../../test/support/ledger-model.ts";
import { openTestStore } from "../../../test/support/stores.ts";
import type { Account } from "../../domain/account/account.ts";
import type { BrowserStore, Store } from "../../ports/store.ts";
import { Charges } from "./charges.ts";
import { Meter } from "./meter.ts";
import { Outbox } from "./outbox.ts";
import { reserve } from "./reserve.ts";

const ACCOUNTS = ["one", "other"] as const;
/** Shortly before a month ends in UTC, on a leap day, and in the middle of a month. */
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
  | { readonly type: "charge elsewhere" | "crash" | "restart" };

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
/** The disk is full for this long, and then works. */
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
  {
    arbitrary: fc.record({ type: fc.constantFrom("charge elsewhere" as const, "crash" as const, "restart" as const) }),
    weight: 2,
  },
);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "rbs-ledger-"));
});
afterAll(() => rm(folder, { recursive: true }));

test("in every history, each started minute that could be written is charged exactly once", async () => {
  let histories = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...STARTS),
      fc.array(step, { minLength: 4, maxLength: 30 }),
      async (start, steps) => {
        histories += 1;
        await play(join(folder, `${histories}.sqlite`), new Date(start), steps);
      },
    ),
    { numRuns: 120 },
  );
}, 120_000);

/** Runs servers one after another on the same file, together with a second process and the model. */
async function play(file: string, start: Date, steps: readonly Step[]): Promise<void> {
  const model = new LedgerModel(start);
  await using secondStore = await openTestStore(file);
  for (const id of ACCOUNTS) await addAccount(secondStore, id, start);
  using reader = toReader(file);
  let ids = 0;
  let server = await startServer(file, start.toISOString());
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
          await expectChargedElsewhere(secondStore, model);
          break;
        case "restart":
        case "crash":
          // Minutes that still can't be written at the end are lost, as after a crash.
          for (const { id } of one.type === "restart" ? model.alive : []) {
            await server.end(id, "shutdown");
            model.end(id, "shutdown", server.disk);
          }
          await server.store[Symbol.asyncDispose]();
          server = await startServer(file, server.clock.now().toISOString());
          model.lose();
      }
      reader.check(model);
    }
  } finally {
    await server.store[Symbol.asyncDispose]();
  }
}

async function addAccount(store: Store, id: string, createdAt: Date): Promise<void> {
  await store.accounts.create({ ...toAccount(id), createdAt }, {});
}

function toAccount(id: string): Account {
  const none = { plan: undefined, parallel: undefined, units: undefined };
  const flags = { hasAdditionalUnits: false, isDisabled: false, isOperator: false, version: 0 };
  return { id, email: `${id}@example.com`, ...none, ...flags, createdAt: new Date(0) };
}

/** The parts of a server that write to the ledger. At the start it closes the browsers that were left open. */
async function startServer(file: string, now: string) {
  const store = await openTestStore(file);
  await store.browsers.closeLost();
  const clock = new FakeClock(now);
  const needs = { clock, metrics: new RecordingMetrics(), outbox: new Outbox({ clock, log: new RecordingLog() }) };
  const meters = new Map<string, Meter>();
  const server = {
    store,
    clock,
    disk: "works" as Disk,
    /** @returns `kept` if it could be neither opened nor cancelled. */
    async open(
      id: string,
      accountId: string,
      fails: "never" | "at commit" | "forever",
    ): Promise<"open" | "refused" | "kept"> {
      const wanted = {
        browserId: id,
        kind: "chromium",
        isHeadless: true,
        tags: [],
        label: undefined,
        requestedAt: clock.now(),
      } as const;
      const before = server.disk;
      try {
        const reservation = await reserve(wanted, toAccount(accountId), () => UNLIMITED, {
          ...needs,
          store: faulty,
          accounts: store.accounts,
        });
        // A browser that stays in its start as long as the server runs.
        if (fails === "forever") return "refused";
        await using held = reservation;
        if (fails === "at commit") server.disk = "full";
        await held.commit(`ws://${id}`, clock.now());
        const meter = new Meter({
          ...needs,
          id,
          accountId,
          openedAt: clock.now(),
          due: () => undefined,
          store: faulty,
          charges,
        });
        meter.start();
        meters.set(id, meter);
        return "open";
      } catch {
        return server.disk === before ? "refused" : "kept";
      } finally {
        server.disk = before;
      }
    },
    async end(id: string, reason: "requested" | "shutdown"): Promise<void> {
      await meters.get(id)?.settle({ at: clock.now(), reason });
    },
  };
  const faulty = toFaulty(store.browsers, () => server.disk);
  const charges = new Charges({ ...needs, store: faulty });
  return server;
}

/** A torn write succeeds but reports an error. Only writes that are retried may be torn. */
function toFaulty(store: BrowserStore, read: () => Disk): BrowserStore {
  const full = new Error("The disk is full.");
  const refuse = (): void => {
    if (read() === "full") throw full;
  };
  const lie = (): void => {
    if (read() === "torn") throw full;
  };
  return {
    ...store,
    async reserve(...given) {
      refuse();
      return store.reserve(...given);
    },
    async open(...given) {
      refuse();
      await store.open(...given);
    },
    async cancel(...given) {
      refuse();
      await store.cancel(...given);
    },
    async charge(...given) {
      refuse();
      const units = await store.charge(...given);
      lie();
      return units;
    },
    async close(...given) {
      refuse();
      const units = await store.close(...given);
      lie();
      return units;
    },
  };
}

/** Another process charges the minutes that have started. */
async function expectChargedElsewhere(secondStore: Store, model: LedgerModel): Promise<void> {
  const started = model.alive.map(({ id, started: minutes }) => ({ browserId: id, minutes }));
  expect(await secondStore.browsers.charge(started)).toBe(model.chargeElsewhere());
}

/** Reads the file itself. */
function toReader(file: string) {
  const database = new DatabaseSync(file, { readOnly: true });
  const read = (sql: string): unknown[] =>
    database
      .prepare(sql)
      .all()
      .map((row) => ({ ...row }));
  let before: unknown[] = [];
  return {
    check(model: LedgerModel): void {
      const written = read("select * from ledger order by rowid");
      // Append-only: earlier rows never change.
      expect(written.slice(0, before.length)).toEqual(before);
      before = written;
      expect(read("select browser_id, account_id, day, units from ledger order by 1, 2, 3")).toEqual(
        countEqual(model.minutes("ended")),
      );
      expect(read("select account_id, day, units from daily_usage order by 1, 2")).toEqual(
        countEqual(model.minutes("all").map(({ account_id, day }) => ({ account_id, day }))),
      );
      const known = `select id, state, closed_at, reason, charged from ${ALL_BROWSERS} where state <> 'opening'`;
      expect(read(`${known} order by cast(substr(id, 2) as integer)`)).toEqual(model.rows);
      expect(read("select account_id, opening, open, units from account_load order by 1")).toEqual(read(COUNTED_LOAD));
    },
    [Symbol.dispose]: () => database.close(),
  };
}

/** What each account's row should say, counted from the other tables. */
const COUNTED_LOAD = `
  select account_id,
    (select count(*) from browsers where account_id = load.account_id and state = 'opening') as opening,
    (select count(*) from browsers where account_id = load.account_id and state = 'open') as open,
    (select coalesce(sum(units), 0) from daily_usage where account_id = load.account_id
      and substr(day, 1, 7) = (select max(substr(day, 1, 7)) from daily_usage where account_id = load.account_id)) as units
  from account_load as load order by 1`;

/** Equal rows as one, with their number. */
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
