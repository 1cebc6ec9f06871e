import fc from "fast-check";
import { Kysely, sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectExact } from "../../../../test/support/databases/exact.ts";
import { type Postgres, startPostgres } from "../../../../test/support/databases/postgres.ts";
import { TEST_BOX, newPostgresStore } from "../../../../test/support/databases/stores.ts";
import type { Account } from "../../../domain/account/account.ts";
import type { Terms } from "../../../domain/plan/entitlement.ts";
import type { BrowserStore, Store } from "../../../ports/store/store.ts";
import type { Tables } from "../schema.ts";
import { newBrowserStore } from "./browsers.ts";
import { newPostgresDialect } from "./connection/pool.ts";
import { HAS_VARIANTS, variant } from "../../../../test/support/variants.ts";

const NOW = new Date("2026-11-30T23:58:30.000Z");
const CONNECTIONS = 8;

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres[Symbol.asyncDispose]());

type Rig = AsyncDisposable & {
  readonly store: Store;
  readonly db: Kysely<Tables>;
  readonly query: <Row>(sql: string) => Promise<Row[]>;
  newAccount(): Promise<string>;
};

async function newRig(): Promise<Rig> {
  const { store, url } = await newPostgresStore(postgres);
  const dialect = newPostgresDialect({ url, maxConnections: CONNECTIONS, connectTimeoutMs: 20_000, queryTimeoutMs: 0 });
  const db = new Kysely<Tables>({ dialect });
  let accounts = 0;
  return {
    store,
    db,
    query: (text) => postgres.query(text, url),
    async newAccount() {
      const id = `account-${(accounts += 1)}`;
      const none = { plan: undefined, parallel: undefined, units: undefined, hasAdditionalUnits: false };
      const account: Account = { id, email: `${id}@example.com`, ...none, ...FLAGS };
      await store.accounts.create(account, {});
      return id;
    },
    async [Symbol.asyncDispose]() {
      await db.destroy();
      await store[Symbol.asyncDispose]();
    },
  };
}

const FLAGS = { isDisabled: false, isOperator: false, createdAt: NOW, version: 0 };

function toReservation(accountId: string, browserId: string) {
  const facts = {
    kind: "chromium",
    isHeadless: true,
    tags: [],
    label: undefined,
    requestedAt: NOW,
    period: "2026-11",
  } as const;
  return { browserId, accountId, version: 0, ...facts };
}

/** Runs a step in a transaction on its own connection. Its locks are held until the scheduler lets it commit. */
async function pausing<Result>(
  { db }: Rig,
  scheduler: fc.Scheduler,
  act: (browsers: BrowserStore) => Promise<Result>,
  worker = "worker-1",
): Promise<Result> {
  await scheduler.schedule(Promise.resolve());
  const trx = await db.startTransaction().execute();
  try {
    const result = await act(newBrowserStore(trx, TEST_BOX, { worker: worker, instance: "first" }));
    await scheduler.schedule(Promise.resolve());
    await trx.commit().execute();
    return result;
  } catch (error) {
    await trx.rollback().execute();
    throw error;
  }
}

describe("for every order of commits", () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await newRig();
  });
  afterAll(() => rig[Symbol.asyncDispose]());

  test("an account's limits are reached exactly, even while other browsers end", async () => {
    const limits = fc.record({ parallel: fc.integer({ min: 0, max: 3 }), units: fc.integer({ min: 0, max: 4 }) });
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), limits, fc.nat({ max: 2 }), async (scheduler, terms, ending) => {
        const accountId = await rig.newAccount();
        for (let index = 0; index < ending; index += 1) {
          const id = `${accountId}-ending-${index}`;
          await rig.store.browsers.reserve(toReservation(accountId, id), { parallel: Infinity, units: undefined });
          await rig.store.browsers.commitOpen(id, `ws://${id}`, NOW);
        }
        const ends = Array.from({ length: ending }, (_, index) =>
          pausing(rig, scheduler, (browsers) =>
            browsers.close(`${accountId}-ending-${index}`, { at: NOW, reason: "requested", minutes: 2 }),
          ),
        );
        const tries = Array.from({ length: 6 }, (_, index) =>
          pausing(rig, scheduler, (browsers) =>
            browsers.reserve(toReservation(accountId, `${accountId}-${index}`), terms),
          ),
        );
        const all = Promise.all([Promise.all(tries), Promise.all(ends)]);
        await scheduler.waitFor(all);
        const [refusals, charged] = await all;
        const admitted = refusals.filter((refusal) => refusal === undefined).length;
        expect(admitted).toBeLessThanOrEqual(Math.min(terms.parallel, Math.max(0, terms.units - ending)));
        // If no browser ends, the limit is reached. Otherwise, some reservations may be refused before a browser ends.
        const least = ending === 0 ? Math.min(terms.parallel, terms.units, 6) : 0;
        expect(admitted).toBeGreaterThanOrEqual(least);
        expect(charged).toEqual(Array.from({ length: ending }, () => 1));
        await expectExact(rig.query);
      }),
      { numRuns: HAS_VARIANTS ? 40 : 4, endOnFailure: true },
    );
  });

  test("with concurrent opens, charges, cancels and ends, each minute is counted exactly once", async () => {
    const act = fc.record({
      which: fc.nat({ max: 2 }),
      type: fc.constantFrom("open", "charge", "charge", "cancel", "close", "lost"),
      minutes: fc.integer({ min: 1, max: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.array(act, { minLength: 2, maxLength: 7 }), async (scheduler, acts) => {
        const [one, other] = [await rig.newAccount(), await rig.newAccount()];
        const own = newBrowserStore(rig.db, TEST_BOX, { worker: one, instance: "first" });
        const restarted = newBrowserStore(rig.db, TEST_BOX, { worker: one, instance: "second" });
        const ids = [0, 1, 2].map((index) => `${one}-${index}`);
        for (const [index, id] of ids.entries()) await own.reserve(toReservation(index === 2 ? other : one, id), ANY);
        await own.commitOpen(String(ids[0]), `ws://${ids[0]}`, NOW);
        // `closeLost` consists of two statements, each of which commits by itself.
        const closeLost = async (): Promise<void> => {
          await scheduler.schedule(Promise.resolve());
          await restarted.closeLost();
        };
        const done = acts.map(({ which, type, minutes }) => {
          if (type === "lost") return closeLost();
          const id = String(ids[which]);
          const acting = async (browsers: BrowserStore): Promise<void> => {
            if (type === "open") await browsers.commitOpen(id, `ws://${id}`, NOW);
            else if (type === "charge")
              await browsers.charge(ids.toReversed().map((browserId) => ({ browserId, minutes })));
            else if (type === "cancel") await browsers.cancel(id);
            else await browsers.close(id, { at: NOW, reason: "requested", minutes });
          };
          return pausing(rig, scheduler, acting, one).catch((error: unknown) => {
            // The browser has already been opened or cancelled.
            if (!(error as Error).message.startsWith("The reservation of")) throw error;
          });
        });
        const all = Promise.all(done);
        await scheduler.waitFor(all);
        await all;
        await expectExact(rig.query);
        await restarted.closeLost();
        await expectExact(rig.query);
      }),
      { numRuns: HAS_VARIANTS ? 60 : 6, endOnFailure: true },
    );
  });
});

const ANY: Terms = { parallel: Infinity, units: undefined };

test.each(HAS_VARIANTS ? [1, 3, 50] : [3])(
  "a limit of %d admits exactly as many of 200 concurrent Opens",
  async (parallel) => {
    await using rig = await newRig();
    const accountId = await rig.newAccount();
    const browsers = newBrowserStore(rig.db, TEST_BOX, { worker: "worker-1", instance: "first" });
    const tries = Array.from({ length: 200 }, (_, index) =>
      browsers.reserve(toReservation(accountId, `b${index}`), { parallel, units: undefined }),
    );
    const refusals = await Promise.all(tries);
    expect(refusals.filter((refusal) => refusal === undefined)).toHaveLength(parallel);
    await expectExact(rig.query);
  },
);

variant("only one of 200 concurrent Opens is admitted for the last unit", async () => {
  await using rig = await newRig();
  const accountId = await rig.newAccount();
  const browsers = newBrowserStore(rig.db, TEST_BOX, { worker: "worker-1", instance: "first" });
  await browsers.reserve(toReservation(accountId, "first"), ANY);
  await browsers.commitOpen("first", "ws://first", NOW);
  const tries = Array.from({ length: 200 }, (_, index) =>
    browsers.reserve(toReservation(accountId, `b${index}`), { parallel: Infinity, units: 2 }),
  );
  const refusals = await Promise.all(tries);
  expect(refusals.filter((refusal) => refusal === undefined)).toHaveLength(1);
});

test("after an account has changed, its previous limits no longer apply", async () => {
  await using rig = await newRig();
  const accountId = await rig.newAccount();
  const browsers = newBrowserStore(rig.db, TEST_BOX, { worker: "worker-1", instance: "first" });
  const changed = rig.store.accounts.change(accountId, { parallel: 1 });
  let isChanged = false;
  void changed.then(() => (isChanged = true));
  const late: unknown[] = [];
  const tries = Array.from({ length: 100 }, async (_, index) => {
    if (index > 50) await changed;
    const wasChanged = isChanged;
    const refusal = await browsers.reserve(toReservation(accountId, `b${index}`), ANY);
    if (wasChanged) late.push(refusal?.isOutdated);
  });
  await Promise.all(tries);
  expect(late.length).toBeGreaterThan(0);
  expect(new Set(late)).toEqual(new Set([true]));
  await expectExact(rig.query);
});

test("a reservation that reaches the database after its account became outdated is refused", async () => {
  await using rig = await newRig();
  const accountId = await rig.newAccount();
  const browsers = newBrowserStore(rig.db, TEST_BOX, { worker: "worker-1", instance: "first" });
  const [{ pid } = { pid: 0 }] = (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(rig.db)).rows;
  // The next query uses the same connection.
  process.kill(pid, "SIGSTOP");
  const late = browsers.reserve(toReservation(accountId, "late"), ANY);
  try {
    await rig.store.accounts.outdate(accountId);
    await rig.store.browsers.cancel("late");
  } finally {
    process.kill(pid, "SIGCONT");
  }
  expect(await late).toMatchObject({ isOutdated: true });
  expect(await rig.query("select id from browsers")).toEqual([]);
  await expectExact(rig.query);
});

variant(
  "an account that is erased during 1,000 Opens can't open browsers afterwards, and all its labels are deleted",
  async () => {
    await using rig = await newRig();
    const accountId = await rig.newAccount();
    const browsers = newBrowserStore(rig.db, TEST_BOX, { worker: "worker-1", instance: "first" });
    let isErased = false;
    const late: unknown[] = [];
    const tries = Array.from({ length: 1000 }, async (_, index) => {
      const wasErased = isErased;
      const id = `b${index}`;
      const refusal = await browsers.reserve({ ...toReservation(accountId, id), label: "secret" }, ANY);
      if (wasErased) late.push(refusal);
      if (refusal === undefined) await browsers.commitOpen(id, `ws://${id}`, NOW);
      if (refusal === undefined) await browsers.charge([{ browserId: id, minutes: 3 }]);
      if (index === 300) await rig.store.accounts.erase(accountId, NOW);
      isErased ||= index === 300;
    });
    await Promise.all(tries);
    expect(late.filter((refusal) => refusal === undefined)).toEqual([]);
    expect(
      await rig.query(
        "select id from browsers where label is not null union select id from ended_browsers where label is not null",
      ),
    ).toEqual([]);
    await expectExact(rig.query);
  },
);
