import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startPgBouncer } from "../../../test/support/pgbouncer.ts";
import { type Postgres, startPostgres } from "../../../test/support/postgres.ts";
import { UNLIMITED, addOpenBrowser } from "../../../test/support/stored-browser.ts";
import { newPostgresStore, openTestPostgresStore, openTestStore } from "../../../test/support/stores.ts";
import type { Account } from "../../domain/account/account.ts";
import type { Standing, Terms } from "../../domain/account/entitlement.ts";
import { EmailTaken } from "../../ports/account-store.ts";
import { KeyTaken, type Store } from "../../ports/store.ts";
import type { NewToken } from "../../ports/token-store.ts";

let postgres: Postgres;
let bouncer: Awaited<ReturnType<typeof startPgBouncer>>;
beforeAll(async () => {
  // Moments don't depend on it.
  postgres = await startPostgres({ timezone: "Asia/Kolkata" });
  bouncer = await startPgBouncer(postgres);
}, 60_000);
afterAll(async () => {
  await bouncer[Symbol.asyncDispose]();
  await postgres[Symbol.asyncDispose]();
});

const ENGINES = [
  { name: "SQLite", runs: 40, openStore: () => openTestStore() },
  { name: "PostgreSQL", runs: 10, openStore: async () => (await newPostgresStore(postgres)).store },
  {
    name: "PostgreSQL through PgBouncer",
    runs: 3,
    openStore: async () => {
      const direct = await newPostgresStore(postgres);
      await direct.store[Symbol.asyncDispose]();
      return openTestPostgresStore(bouncer.toUrl(direct.url));
    },
  },
] as const;

const now = new Date("2026-11-21T10:00:00.000Z");
const period = "2026-11";
const ACCOUNT: Account = {
  id: "account",
  email: "Someone@Example.com",
  plan: "small",
  parallel: 3,
  units: undefined,
  hasAdditionalUnits: false,
  isDisabled: false,
  isOperator: false,
  createdAt: now,
  version: 0,
};

/** A token that differs from others in its hash only. */
function toToken(hash: string): NewToken {
  return { hash, id: `id of ${hash}`, name: "first", prefix: "rbs_abcd", createdAt: now };
}

function reservation(browserId: string) {
  return {
    browserId,
    accountId: ACCOUNT.id,
    version: 0,
    kind: "chromium",
    isHeadless: true,
    tags: [],
    label: undefined,
    requestedAt: now,
    period,
  } as const;
}

function refused(standing: Standing) {
  return { standing, isOutdated: false };
}

/** Terms that admit no browser, and an account that has none. */
const REFUSING: Terms = { parallel: 0, units: undefined };
const NOTHING: Standing = { isBarred: false, browsers: 0, units: 0 };

describe.each(ENGINES)("$name", ({ openStore, runs }) => {
  async function withAccount(): Promise<Store> {
    const store = await openStore();
    await store.accounts.create(ACCOUNT, { token: toToken("hash") });
    return store;
  }

  describe("accounts", () => {
    test("are found by email in any case and by each live token", async () => {
      await using store = await withAccount();
      expect(await store.accounts.findByEmail("someone@example.COM")).toEqual(ACCOUNT);
      expect(await store.tokens.findAccount("hash")).toEqual(ACCOUNT);
      await store.tokens.replaceAll(ACCOUNT.id, toToken("new"));
      expect(await store.tokens.findAccount("hash")).toBeUndefined();
      expect(await store.tokens.findAccount("new")).toEqual(ACCOUNT);
    });

    test("an email can be used once, and the second attempt leaves no token behind", async () => {
      await using store = await withAccount();
      const second = { ...ACCOUNT, id: "second", email: ACCOUNT.email.toUpperCase() };
      await expect(store.accounts.create(second, { token: toToken("other") })).rejects.toThrow(EmailTaken);
      expect(await store.tokens.findAccount("other")).toBeUndefined();
    });

    test("null removes an override, and other columns stay the same", async () => {
      await using store = await withAccount();
      await store.accounts.change(ACCOUNT.id, { parallel: null, units: 7, hasAdditionalUnits: true });
      expect(await store.accounts.findByEmail(ACCOUNT.email)).toEqual({
        ...ACCOUNT,
        version: 1,
        parallel: undefined,
        units: 7,
        hasAdditionalUnits: true,
      });
    });
  });

  describe("reservations", () => {
    test("a refused reservation writes nothing", async () => {
      await using store = await withAccount();
      for (const again of ["a", "b"]) {
        expect(await store.browsers.reserve(reservation(again), REFUSING)).toEqual(refused(NOTHING));
      }
    });

    test.each([
      ["disabled", (store: Store) => store.accounts.change(ACCOUNT.id, { isDisabled: true })],
      ["deleted", (store: Store) => store.accounts.erase(ACCOUNT.id, now)],
    ])("of a %s account are refused", async (_, bar) => {
      await using store = await withAccount();
      await bar(store);
      expect(await store.browsers.reserve(reservation("a"), UNLIMITED)).toMatchObject({
        standing: { ...NOTHING, isBarred: true },
      });
    });

    test("count as a browser and a unit until they are opened or cancelled", async () => {
      await using store = await withAccount();
      const one = { ...NOTHING, browsers: 1, units: 1 };
      expect(await store.browsers.reserve(reservation("a"), { parallel: 2, units: 2 })).toBeUndefined();
      expect(await store.browsers.reserve(reservation("b"), { parallel: 1, units: 2 })).toEqual(refused(one));
      expect(await store.browsers.reserve(reservation("b"), { parallel: 2, units: 1 })).toEqual(refused(one));
      expect(await store.browsers.reserve(reservation("b"), { parallel: 2, units: 2 })).toBeUndefined();
      await store.browsers.cancel("a");
      await store.browsers.open("b", "ws://x", now);
      expect(await store.browsers.reserve(reservation("c"), REFUSING)).toEqual(refused(one));
    });

    test("are outdated when the account has changed since its terms were computed", async () => {
      await using store = await withAccount();
      await store.accounts.change(ACCOUNT.id, { units: 3 });
      expect(await store.browsers.reserve(reservation("a"), UNLIMITED)).toEqual({
        standing: NOTHING,
        isOutdated: true,
      });
      const account = await store.accounts.find(ACCOUNT.id);
      expect(account?.version).toBe(1);
      expect(await store.browsers.reserve({ ...reservation("a"), version: 1 }, UNLIMITED)).toBeUndefined();
    });

    test("that were opened by a call with an unknown outcome are cancelled with their unit", async () => {
      await using store = await withAccount();
      await store.browsers.reserve(reservation("a"), UNLIMITED);
      await store.browsers.reserve(reservation("b"), UNLIMITED);
      await store.browsers.open("a", "ws://x", now);
      const loads = (): Promise<unknown> => store.usage.loads([ACCOUNT.id, "unknown"]);
      expect(await loads()).toEqual(new Map([[ACCOUNT.id, { version: 0, browsers: 2 }]]));
      await store.browsers.cancel("b");
      await store.browsers.cancel("a");
      await store.browsers.cancel("a");
      expect(await loads()).toEqual(new Map([[ACCOUNT.id, { version: 0, browsers: 0 }]]));
      expect(await store.usage.month(ACCOUNT.id, period)).toEqual({
        period,
        units: 0,
        openBrowsers: 0,
        openingBrowsers: 0,
      });
      expect(await store.browsers.reserve(reservation("b"), REFUSING)).toEqual(refused(NOTHING));
    });
  });

  describe("an Idempotency-Key", () => {
    const idempotency = { key: "key", options: "options" };
    const keyed = (browserId: string) => ({ ...reservation(browserId), idempotency });

    test("belongs to one browser of an account, from its reservation until some time after its end", async () => {
      await using store = await withAccount();
      const find = () => store.browsers.findKeyed(ACCOUNT.id, ["other key", "key"]);
      expect(await find()).toBeUndefined();
      await store.browsers.reserve(keyed("a"), UNLIMITED);
      const found = { browserId: "a", options: "options", endedAt: undefined };
      expect(await find()).toEqual({ ...found, address: undefined });
      await expect(store.browsers.reserve(keyed("b"), UNLIMITED)).rejects.toThrow(KeyTaken);
      expect(await store.usage.month(ACCOUNT.id, period)).toMatchObject({ openingBrowsers: 1, openBrowsers: 0 });
      await store.browsers.open("a", "ws://a", now);
      expect(await find()).toEqual({ ...found, address: "ws://a" });
      await store.browsers.close("a", { at: now, reason: "requested", minutes: 1 });
      expect(await find()).toEqual({ ...found, address: "ws://a", endedAt: now });
      await expect(store.browsers.reserve(keyed("b"), UNLIMITED)).rejects.toThrow(KeyTaken);
      expect(await store.browsers.freeKeys(now, 10)).toBe(0);
      expect(await store.browsers.freeKeys(new Date(now.getTime() + 1), 10)).toBe(1);
      expect(await find()).toBeUndefined();
    });

    test("is free when its browser is refused or cancelled", async () => {
      await using store = await withAccount();
      expect(await store.browsers.reserve(keyed("a"), REFUSING)).toEqual(refused(NOTHING));
      for (const id of ["b", "c"]) {
        expect(await store.browsers.reserve(keyed(id), UNLIMITED)).toBeUndefined();
        if (id === "c") await store.browsers.open(id, "ws://c", now);
        await store.browsers.cancel(id);
        expect(await store.browsers.findKeyed(ACCOUNT.id, ["key"])).toBeUndefined();
      }
    });
  });

  test("every character of labels, tags and searches is taken", async () => {
    await using store = await withAccount();
    const [label, tag] = ["\0 \u2028 \u{1F600} \uD800", "\0'\\\""];
    await store.browsers.reserve({ ...reservation("a"), label, tags: [tag] }, UNLIMITED);
    await store.browsers.open("a", "ws://a", now);
    await store.browsers.rename("a", { label, tags: [tag, "x"] });
    await store.browsers.close("a", { at: now, reason: "requested", minutes: 1 });
    expect(await store.usage.ended(ACCOUNT.id, undefined, 9, { tag: "x" })).toMatchObject([{ id: "a" }]);
    for (const filter of [{ label }, { tag }, { label: "\0" }])
      await store.usage.ended(ACCOUNT.id, undefined, 9, filter);
    expect(await store.usage.findEnded(ACCOUNT.id, { id: "\0" })).toBeUndefined();
  });

  describe("the ledger", () => {
    test("holds each minute once, in any order of charges", async () => {
      const minutes = fc.integer({ min: 1, max: 6 });
      await fc.assert(
        fc.asyncProperty(fc.array(minutes, { maxLength: 12 }), minutes, async (ticks, atEnd) => {
          await using store = await withAccount();
          await addOpenBrowser(store.browsers, { id: "a", accountId: ACCOUNT.id, openedAt: now });
          const added = await Promise.all(
            ticks.map((each) => store.browsers.charge([{ browserId: "a", minutes: each }])),
          );
          const end = { at: now, reason: "requested", minutes: atEnd } as const;
          added.push(await store.browsers.close("a", end), await store.browsers.close("a", end));
          const units = Math.max(...ticks, atEnd);
          expect(1 + added.reduce((sum, each) => sum + each, 0)).toBe(units);
          expect(await store.usage.month(ACCOUNT.id, period)).toEqual({
            period,
            units,
            openBrowsers: 0,
            openingBrowsers: 0,
          });
        }),
        { numRuns: runs },
      );
    });

    test("leaves out browsers that aren't open", async () => {
      await using store = await withAccount();
      await store.browsers.reserve(reservation("opening"), UNLIMITED);
      await addOpenBrowser(store.browsers, { id: "closed", accountId: ACCOUNT.id, openedAt: now });
      await store.browsers.close("closed", { at: now, reason: "requested", minutes: 1 });
      const all = ["opening", "closed", "unknown"].map((browserId) => ({ browserId, minutes: 3 }));
      expect(await store.browsers.charge(all)).toBe(0);
      expect(await store.usage.month(ACCOUNT.id, period)).toMatchObject({ units: 1 });
    });

    test("an account's units of this month are those of its latest month, also when an earlier one is charged late", async () => {
      await using store = await withAccount();
      const openedAt = new Date("2026-11-30T23:58:30.000Z");
      for (const id of ["a", "b"]) await addOpenBrowser(store.browsers, { id, accountId: ACCOUNT.id, openedAt });
      // Minutes 0 and 1 start in November.
      expect(await store.browsers.charge([{ browserId: "a", minutes: 4 }])).toBe(3);
      expect(await store.browsers.charge([{ browserId: "b", minutes: 2 }])).toBe(1);
      const readUnits = async (month: string) =>
        (await store.browsers.reserve({ ...reservation("c"), period: month }, REFUSING))?.standing.units;
      expect([await readUnits("2026-12"), await readUnits("2027-01")]).toEqual([2, 0]);
      expect(await store.usage.month(ACCOUNT.id, "2026-11")).toMatchObject({ units: 4 });
      expect(await store.usage.month(ACCOUNT.id, "2026-12")).toMatchObject({ units: 2 });
    });
  });

  test("browsers keep the moments of their opening and end, to the millisecond", async () => {
    await using store = await withAccount();
    const moment = fc.date({ min: new Date("2001-01-01"), max: new Date("2099-12-31"), noInvalidDate: true });
    const spans = new Map<string, readonly [openedAt: Date, closedAt: Date]>();
    // The spans of browsers that end in the millisecond of their opening last one millisecond.
    const two = fc.tuple(moment, moment).filter(([one, other]) => one.getTime() !== other.getTime());
    for (const [index, one] of fc.sample(two, 20).entries()) {
      const [openedAt, closedAt] = one.toSorted((left, right) => left.getTime() - right.getTime()) as [Date, Date];
      const id = `browser-${index}`;
      spans.set(id, [openedAt, closedAt]);
      await addOpenBrowser(store.browsers, { id, accountId: ACCOUNT.id, openedAt });
      await store.browsers.close(id, { at: closedAt, reason: "requested", minutes: 1 });
    }
    const ended = await store.usage.ended(ACCOUNT.id, undefined, spans.size);
    expect(new Map(ended.map(({ id, openedAt, closedAt }) => [id, [openedAt, closedAt]]))).toEqual(spans);
    const read = await store.usage.spans(ACCOUNT.id, new Date("2000-01-01"), new Date("2100-01-01"));
    const toTimes = (end: 0 | 1) => Float64Array.from([...spans.values()], (span) => span[end].getTime()).toSorted();
    expect([read.opened.toSorted(), read.ended.toSorted()]).toEqual([toTimes(0), toTimes(1)]);
  });

  test("tokens of queries are summed per account and day, and only those of the last day are kept", async () => {
    await using store = await withAccount();
    await store.accounts.create({ ...ACCOUNT, id: "other", email: "other@example.com" }, { token: toToken("other") });
    await store.queries.addTokens("account", "2026-11-21", 5);
    await Promise.all([1, 2, 3].map((tokens) => store.queries.addTokens("account", "2026-11-21", tokens)));
    await store.queries.addTokens("other", "2026-11-21", 100);
    expect(await store.queries.sumTokens("account", "2026-11-21")).toEqual({ own: 11, all: 111 });
    await store.queries.addTokens("account", "2026-11-22", 1);
    expect(await store.queries.sumTokens("account", "2026-11-22")).toEqual({ own: 1, all: 1 });
    expect(await store.queries.sumTokens("other", "2026-11-21")).toEqual({ own: 0, all: 0 });
  });
});
