import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  ACCOUNT,
  openWithAccount,
  startSqlEngines,
  toReservation,
  toToken,
} from "../../../../test/support/databases/sql-engines.ts";
import type { BrowserFilter } from "../../../ports/store/usage-store.ts";
import { UNLIMITED, addOpenBrowser } from "../../../../test/support/browsers/stored-browser.ts";
import { HAS_VARIANTS } from "../../../../test/support/variants.ts";

const now = ACCOUNT.createdAt;
const period = "2026-11";

describe.each(startSqlEngines())("$name", ({ openStore, runs }) => {
  const withAccount = () => openWithAccount(openStore);

  test("labels, tags and searches can contain any character", async () => {
    await using store = await withAccount();
    const [label, tag] = ["\0 \u2028 \u{1F600} \uD800", "\0\uD800'\\\""];
    await store.browsers.reserve({ ...toReservation("a"), label, tags: [tag] }, UNLIMITED);
    await store.browsers.commitOpen("a", "ws://a", now);
    await store.browsers.rename("a", { label, tags: [tag, "x"] });
    await store.browsers.close("a", { at: now, reason: "requested", minutes: 1 });
    expect(await store.usage.ended(ACCOUNT.id, undefined, 9, { tag: "x" })).toMatchObject([{ id: "a" }]);
    for (const filter of [{ label }, { tag }, { label: "\0" }])
      await store.usage.ended(ACCOUNT.id, undefined, 9, filter);
    expect(await store.usage.findEnded(ACCOUNT.id, { id: "\0" })).toBeUndefined();
  });

  test("any time is accepted, even outside the years 1 to 9999", async () => {
    await using store = await withAccount();
    await addOpenBrowser(store.browsers, { id: "a", accountId: ACCOUNT.id, openedAt: now });
    await store.browsers.close("a", { at: now, reason: "requested", minutes: 1 });
    const [first, last] = [new Date(-8.64e15), new Date(8.64e15)];
    const find = (filter: BrowserFilter, closedAt: Date) =>
      store.usage.ended(ACCOUNT.id, { closedAt, id: "z" }, 9, filter);
    expect(await find({ since: first, until: last }, last)).toMatchObject([{ id: "a" }]);
    expect(await find({ since: last }, last)).toEqual([]);
    expect(await find({ until: first }, last)).toEqual([]);
    expect(await find({}, first)).toEqual([]);
    expect(await store.usage.endedBetween(ACCOUNT.id, { from: first, to: last }, undefined, 9)).toHaveLength(1);
    expect(await store.usage.endedBetween(ACCOUNT.id, { from: last, to: last }, undefined, 9)).toEqual([]);
  });

  describe("the ledger", () => {
    test("contains each minute once, regardless of the order of charges", async () => {
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
        { numRuns: HAS_VARIANTS ? runs : Math.ceil(runs / 5) },
      );
    });

    test("ignores browsers that aren't open", async () => {
      await using store = await withAccount();
      await store.browsers.reserve(toReservation("opening"), UNLIMITED);
      await addOpenBrowser(store.browsers, { id: "closed", accountId: ACCOUNT.id, openedAt: now });
      await store.browsers.close("closed", { at: now, reason: "requested", minutes: 1 });
      const all = ["opening", "closed", "unknown"].map((browserId) => ({ browserId, minutes: 3 }));
      expect(await store.browsers.charge(all)).toBe(0);
      expect(await store.usage.month(ACCOUNT.id, period)).toMatchObject({ units: 1 });
    });

    test("an account's units are counted for its latest month, even if an earlier month is charged late", async () => {
      await using store = await withAccount();
      const openedAt = new Date("2026-11-30T23:58:30.000Z");
      for (const id of ["a", "b"]) await addOpenBrowser(store.browsers, { id, accountId: ACCOUNT.id, openedAt });
      // Minutes 0 and 1 start in November.
      expect(await store.browsers.charge([{ browserId: "a", minutes: 4 }])).toBe(3);
      expect(await store.browsers.charge([{ browserId: "b", minutes: 2 }])).toBe(1);
      const readUnits = async (month: string) =>
        (await store.browsers.reserve({ ...toReservation("c"), period: month }, { parallel: 0, units: undefined }))
          ?.standing.units;
      expect([await readUnits("2026-12"), await readUnits("2027-01")]).toEqual([2, 0]);
      expect(await store.usage.month(ACCOUNT.id, "2026-11")).toMatchObject({ units: 4 });
      expect(await store.usage.month(ACCOUNT.id, "2026-12")).toMatchObject({ units: 2 });
    });
  });

  test("if a wrong clock charges units to a later month, they count only in that month", async () => {
    await using store = await withAccount();
    const add = (id: string, openedAt: Date) => addOpenBrowser(store.browsers, { id, accountId: ACCOUNT.id, openedAt });
    await add("a", now);
    await add("b", new Date("2027-12-31T10:00:00.000Z"));
    await store.browsers.charge([
      { browserId: "a", minutes: 3 },
      { browserId: "b", minutes: 9 },
    ]);
    const reserve = (id: string, units: number) =>
      store.browsers.reserve({ ...toReservation(id), period }, { parallel: 10, units });
    expect(await reserve("c", 3)).toMatchObject({ standing: { units: 3 } });
    expect(await reserve("c", 4)).toBeUndefined();
    expect(await reserve("d", 4)).toMatchObject({ standing: { units: 4 } });
    const later = { ...toReservation("e"), period: "2027-12" };
    expect(await store.browsers.reserve(later, { parallel: 0, units: undefined })).toMatchObject({
      standing: { units: 10 },
    });
  });

  test("opening and closing times are stored to the millisecond", async () => {
    await using store = await withAccount();
    const moment = fc.date({ min: new Date("2001-01-01"), max: new Date("2099-12-31"), noInvalidDate: true });
    const spans = new Map<string, readonly [openedAt: Date, closedAt: Date]>();
    // A browser that closes in the millisecond in which it opened has a span of one millisecond, so equal times are
    // excluded.
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

  test("query tokens are summed per account and day, and only the last day is kept", async () => {
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
