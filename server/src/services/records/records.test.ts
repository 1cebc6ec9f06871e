import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { newRig, type Rig, SMALL } from "../../../test/support/servers/services-rig.ts";
import type { Account } from "../../domain/account/account.ts";
import { StoreUnavailable } from "../../ports/store/store.ts";
import { BrowserRecords, endOf } from "./records.ts";

const MINUTE = 60_000;

function newRecords({ fleet, store, clock }: Rig, historyDays?: number): BrowserRecords {
  return new BrowserRecords({ fleet, store: store.usage, clock, historyDays });
}

/** Reads all pages, and runs an action between pages. */
async function readAll(
  records: BrowserRecords,
  account: Account,
  limit: number,
  between: () => Promise<void> = async () => {},
): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await records.list(account, {}, limit, cursor);
    expect(page.browsers.length).toBeLessThanOrEqual(limit);
    ids.push(...page.browsers.map(({ id }) => id));
    if (page.next === undefined) return ids;
    cursor = page.next;
    await between();
  }
}

describe("the history", () => {
  test("contains each browser once while other browsers open and end between pages", async () => {
    const act = fc.constantFrom("open", "close first", "close last", "pass");
    await fc.assert(
      fc.asyncProperty(
        fc.array(act, { maxLength: 14 }),
        fc.array(act, { maxLength: 14 }),
        fc.integer({ min: 1, max: 4 }),
        async (before, meanwhile, limit) => {
          await using rig = await newRig();
          const [account, other] = [
            await rig.account({ parallel: 50, units: 1000 }),
            await rig.account({ parallel: 50, units: 1000 }),
          ];
          await rig.open(other);
          const play = async (what: string | undefined): Promise<void> => {
            const open = rig.localBrowsers.list(account);
            if (what === undefined) return;
            if (what === "open") await rig.open(account);
            else if (what === "pass") await rig.clock.pass(1000);
            else await open.at(what === "close first" ? 0 : -1)?.close("requested");
          };
          for (const what of before) await play(what);
          const records = newRecords(rig);
          const open = rig.localBrowsers.list(account).map(({ id }) => id);
          const ended = (await rig.store.usage.ended(account.id, undefined, 100)).map(({ id }) => id);
          await rig.clock.pass(1);
          const rest = meanwhile.values();
          const ids = await readAll(records, account, limit, () => play(rest.next().value));
          expect(ids.slice(0, open.length).toSorted()).toEqual(open.toSorted());
          expect(ids.slice(open.length)).toEqual(ended);
        },
      ),
      { numRuns: 60 },
    );
  });

  test("lists open browsers by opening time and ended browsers by end time, latest first", async () => {
    await using rig = await newRig();
    const account = await rig.account({ parallel: 50, units: 1000 });
    const opened = [];
    for (let index = 0; index < 4; index += 1) {
      opened.push(await rig.open(account));
      await rig.clock.pass(1000);
    }
    const [a, b, c, d] = opened;
    await c?.close("requested");
    await rig.clock.pass(1000);
    await a?.close("requested");
    expect(await readAll(newRecords(rig), account, 2)).toEqual([d?.id, b?.id, a?.id, c?.id]);
  });

  test("can be filtered by time, label or tag", async () => {
    await using rig = await newRig();
    const account = await rig.account({ parallel: 50, units: 1000 });
    const start = rig.clock.now();
    const early = await rig.open(account, { label: "one", tags: ["x", "y"] });
    await rig.clock.pass(10_000);
    await early.close("requested");
    const late = await rig.open(account, { label: "two", tags: ["y"] });
    const records = newRecords(rig);
    const list = async (filter: Parameters<BrowserRecords["list"]>[1]): Promise<string[]> =>
      (await records.list(account, filter, 10, undefined)).browsers.map(({ id }) => id);
    const at = (ms: number): Date => new Date(start.getTime() + ms);
    expect(await list({ label: "one" })).toEqual([early.id]);
    expect(await list({ tag: "x" })).toEqual([early.id]);
    expect(await list({ tag: "y" })).toEqual([late.id, early.id]);
    expect(await list({ tag: "x", label: "two" })).toEqual([]);
    expect(await list({ since: at(10_000) })).toEqual([late.id, early.id]);
    expect(await list({ since: at(10_001) })).toEqual([late.id]);
    expect(await list({ until: at(10_000) })).toEqual([early.id]);
    expect(await list({ until: at(0) })).toEqual([]);
  });

  test("refuses an invalid cursor, and states how far back records go", async () => {
    await using rig = await newRig();
    const account = await rig.account({ parallel: 50, units: 1000 });
    const records = newRecords(rig, 30);
    for (const cursor of ["next", "1.open.x.id", "1.closed.1.id", "-1.open.1.id"]) {
      await expect(records.list(account, {}, 1, cursor)).rejects.toMatchObject({
        failure: "BadRequest",
        errors: [{ path: "/cursor" }],
      });
    }
    const { keptSince } = await records.list(account, {}, 1, undefined);
    expect(keptSince).toEqual(new Date(rig.clock.now().getTime() - 30 * 24 * 60 * MINUTE));
  });
});

describe("a record", () => {
  test("is visible only to its account, by id or address, while the browser is open and after it ends", async () => {
    await using rig = await newRig();
    const [account, other] = [
      await rig.account({ parallel: 50, units: 1000 }),
      await rig.account({ parallel: 50, units: 1000 }),
    ];
    const browser = await rig.open(account, { tags: ["x"], keepOpenMs: 5000 });
    const records = newRecords(rig);
    const selectors = [{ id: browser.id }, { address: browser.address }];
    for (const selector of selectors) {
      expect(await records.find(account, selector)).toMatchObject({ id: browser.id, end: undefined, tags: ["x"] });
      await expect(records.find(other, selector)).rejects.toMatchObject({ failure: "BrowserNotFound" });
    }
    await rig.clock.pass(5000);
    for (const selector of selectors) {
      const found = await records.find(account, selector);
      expect(found).toMatchObject({ id: browser.id, reason: "inactive", tags: ["x"], keepOpenMs: 5000, units: 1 });
      await expect(records.find(other, selector)).rejects.toMatchObject({ failure: "BrowserNotFound" });
    }
  });

  test("shows a browser's end while it is being recorded", async () => {
    await using rig = await newRig();
    const account = await rig.account({ parallel: 50, units: 1000 });
    const browser = await rig.open(account);
    const { promise: written, resolve } = Promise.withResolvers<void>();
    const { close } = rig.store.browsers;
    vi.spyOn(rig.store.browsers, "close").mockImplementation(async (...given) => {
      await written;
      return close(...given);
    });
    const closing = browser.close("requested");
    const records = newRecords(rig);
    const [now, found] = [rig.clock.now(), await records.find(account, { id: browser.id })];
    await rig.clock.pass(10);
    const listed = await readAll(records, account, 10);
    resolve();
    await closing;
    expect([endOf(found), listed]).toEqual([now, [browser.id]]);
    expect(endOf(await records.find(account, { id: browser.id }))).toEqual(now);
    expect(await readAll(records, account, 10)).toEqual([browser.id]);
  });
});

describe("a wait", () => {
  test("ends when the browser ends or the time limit expires, and doesn't keep the browser open", async () => {
    await using rig = await newRig();
    const account = await rig.account({ parallel: 50, units: 1000 });
    const browser = await rig.open(account, { keepOpenMs: 5000 });
    const records = newRecords(rig);
    const { signal } = new AbortController();
    const short = records.wait(account, { id: browser.id }, 1000, signal);
    const long = records.wait(account, { address: browser.address }, 50_000, signal);
    await rig.clock.pass(1000);
    expect(endOf(await short)).toEqual(new Date(NaN));
    await rig.clock.pass(4000);
    expect(await long).toMatchObject({ end: { reason: "inactive", at: rig.clock.now() } });
    expect(await records.wait(account, { id: browser.id }, 50_000, signal)).toMatchObject({ reason: "inactive" });
  });

  test("is refused while 100 requests wait for the browser, and accepted when one of them disconnects", async () => {
    await using rig = await newRig();
    const account = await rig.account({ parallel: 50, units: 1000 });
    const [browser, other] = [await rig.open(account, { keepOpenMs: 0 }), await rig.open(account, { keepOpenMs: 0 })];
    const records = newRecords(rig);
    const caller = new AbortController();
    const { signal } = new AbortController();
    const wait = (id: string, waiter = signal) => records.wait(account, { id }, 50_000, waiter);
    const first = wait(browser.id, caller.signal);
    const waits = Array.from({ length: 99 }, () => wait(browser.id));
    const refusal = { failure: "BrowserUnavailable", retryAfterS: 5 };
    await expect(wait(browser.id)).rejects.toMatchObject(refusal);
    const ofOther = wait(other.id);
    caller.abort(new Error("gone"));
    await expect(first).rejects.toThrow("gone");
    waits.push(wait(browser.id));
    await expect(wait(browser.id)).rejects.toMatchObject(refusal);
    await Promise.all([browser.close("requested"), other.close("requested")]);
    for (const each of await Promise.all([...waits, ofOther])) expect(endOf(each)).toEqual(rig.clock.now());
  });

  test("releases its resources when its caller disconnects", async () => {
    await using rig = await newRig();
    const account = await rig.account({ parallel: 50, units: 1000 });
    const { id } = await rig.open(account, { keepOpenMs: 0 });
    const pending = rig.clock.pending;
    const caller = new AbortController();
    const waiting = newRecords(rig).wait(account, { id }, 50_000, caller.signal);
    caller.abort(new Error("gone"));
    await expect(waiting).rejects.toThrow("gone");
    expect(rig.clock.pending).toBe(pending);
  });
});

describe("a change", () => {
  test("sets the specified time limits, within the plan's limits, and keeps the other time limits", async () => {
    await using rig = await newRig();
    const account = await rig.account();
    const { id } = await rig.open(account, { keepOpenMs: 5000, label: "a", tags: ["b"] });
    const [selector, start] = [{ id }, rig.clock.now().getTime()];
    expect(await rig.fleet.change(account, selector, { lifetimeMs: 4000 })).toMatchObject({
      due: { at: new Date(start + 4000), reason: "lifetime" },
      label: "a",
      tags: ["b"],
    });
    const { due } = await rig.fleet.change(account, selector, { lifetimeMs: 0, keepOpenMs: 1e12, tags: [] });
    const max = SMALL.maxLifetimeMs ?? Number.NaN;
    expect(due).toEqual({ at: new Date(start + max), reason: "lifetime" });
    expect(await rig.fleet.findRecent(account, selector)).toMatchObject({ keepOpenMs: max, label: "a", tags: [] });
  });

  test("doesn't extend a browser if the account has lost its plan", async () => {
    await using rig = await newRig();
    const account = { ...(await rig.account()), plan: undefined };
    const own = await rig.open({ ...account, plan: "small" }, { keepOpenMs: 5000 });
    const changed = await rig.fleet.change(account, { id: own.id }, { lifetimeMs: 1e12, keepOpenMs: 1e12 });
    const max = SMALL.maxLifetimeMs ?? Number.NaN;
    expect(changed.due).toEqual({ at: new Date(rig.clock.now().getTime() + max), reason: "lifetime" });
  });

  test("immediately ends a browser that has already exceeded its new limits", async () => {
    await using rig = await newRig();
    const account = await rig.account({ parallel: 50, units: 1000 });
    const browser = await rig.open(account, { keepOpenMs: 0 });
    await rig.clock.pass(10_000);
    expect(await rig.fleet.change(account, { id: browser.id }, { lifetimeMs: 5000 })).toMatchObject({
      end: { at: rig.clock.now(), reason: "lifetime" },
    });
    await browser.closed;
    await expect(rig.fleet.change(account, { id: browser.id }, { label: "late" })).rejects.toMatchObject({
      failure: "BrowserNotFound",
    });
  });

  test("remains recorded after the browser ends, and has no effect if it can't be written", async () => {
    await using rig = await newRig();
    const account = await rig.account({ parallel: 50, units: 1000 });
    const browser = await rig.open(account, { label: "a" });
    const selector = { id: browser.id };
    await rig.fleet.change(account, selector, { label: "b", tags: ["c"] });
    using rename = vi.spyOn(rig.store.browsers, "rename").mockRejectedValue(new StoreUnavailable("The disk is full."));
    await expect(rig.fleet.change(account, selector, { label: "d", keepOpenMs: 1 })).rejects.toMatchObject({
      failure: "BrowserUnavailable",
    });
    expect(rename).toHaveBeenCalledOnce();
    expect(browser.label).toBe("b");
    await browser.close("requested");
    expect(await newRecords(rig).find(account, selector)).toMatchObject({
      label: "b",
      tags: ["c"],
      keepOpenMs: 30_000,
    });
  });
});

test("an account's browsers are closed by label, by tag, or all together", async () => {
  await using rig = await newRig();
  const [account, other] = [
    await rig.account({ parallel: 50, units: 1000 }),
    await rig.account({ parallel: 50, units: 1000 }),
  ];
  await rig.open(other, { label: "a", tags: ["x"] });
  for (const label of ["a", "a", "b"]) await rig.open(account, { label, tags: [`of ${label}`, "x"] });
  expect(await rig.fleet.closeMatching(account, { label: "a" })).toBe(2);
  expect(await rig.fleet.closeMatching(account, { tag: "of a" })).toBe(0);
  expect(await rig.fleet.closeMatching(account, { tag: "of b" })).toBe(1);
  await rig.open(account);
  expect(await rig.fleet.closeMatching(account, { all: true })).toBe(1);
  expect(rig.localBrowsers.list(account)).toEqual([]);
  expect(rig.localBrowsers.list(other)).toHaveLength(1);
});
