import { describe, expect, test, vi } from "vitest";
import {
  ACCOUNT,
  openWithAccount,
  startSqlEngines,
  toReservation,
} from "../../../../test/support/databases/sql-engines.ts";
import { UNLIMITED } from "../../../../test/support/browsers/stored-browser.ts";
import type { Store } from "../../../ports/store/store.ts";

vi.mock(import("../../../domain/plan/price.ts"), () => ({
  unitsPerMinute: ({ isHeadless }) => (isHeadless ? 1 : 2),
  RESERVED_UNITS: 2,
}));

const openedAt = new Date("2026-11-30T23:58:30.000Z");

async function open(store: Store, id: string, isHeadless = false): Promise<number> {
  await store.browsers.reserve({ ...toReservation(id), isHeadless }, UNLIMITED);
  return store.browsers.commitOpen(id, `ws://${id}`, openedAt);
}

async function readUnits(store: Store): Promise<readonly number[]> {
  const months = ["2026-11", "2026-12"].map((period) => store.usage.month(ACCOUNT.id, period));
  return (await Promise.all(months)).map(({ units }) => units);
}

describe.each(startSqlEngines())("if a minute of a graphical browser costs two units, $name", ({ openStore }) => {
  test("charges two units per minute, or one per minute for a headless browser", async () => {
    await using store = await openWithAccount(openStore);
    expect([await open(store, "a"), await open(store, "b", true)]).toEqual([2, 1]);
    const started = ["a", "b"].map((browserId) => ({ browserId, minutes: 3 }));
    expect(await store.browsers.charge(started)).toBe(6);
    // Minutes 0 and 1 start in November.
    expect(await readUnits(store)).toEqual([6, 3]);
    for (const id of ["a", "b"]) await store.browsers.close(id, { at: openedAt, reason: "requested", minutes: 4 });
    expect(await readUnits(store)).toEqual([6, 6]);
    const ended = await store.usage.ended(ACCOUNT.id, undefined, 9);
    expect(new Map(ended.map(({ id, units }) => [id, units]))).toEqual(new Map(Object.entries({ a: 8, b: 4 })));
  });

  test("refunds the units of a cancelled browser", async () => {
    await using store = await openWithAccount(openStore);
    await open(store, "a");
    await store.browsers.cancel("a");
    expect(await readUnits(store)).toEqual([0, 0]);
  });

  test("reserves two units for a browser that is being opened", async () => {
    await using store = await openWithAccount(openStore);
    const reserve = (id: string, units: number) => store.browsers.reserve(toReservation(id), { parallel: 9, units });
    expect(await reserve("a", 1)).toBeUndefined();
    expect(await reserve("b", 2)).toMatchObject({ standing: { units: 2 } });
    expect(await reserve("b", 3)).toBeUndefined();
  });
});
