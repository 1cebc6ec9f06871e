import { expect, test } from "vitest";
import { settled } from "../../../test/fakes/fake-clock.ts";
import { heldBy, newRig, NOTHING, type Rig } from "../../../test/support/servers/services-rig.ts";
import type { Account } from "../../domain/account/account.ts";
import type { OpenBrowser } from "../browsers/open-browser.ts";

const WAIT = { waitForPlaceMs: 30_000 };
const LONG = { keepOpenMs: 600_000 };
const LIMIT = { failure: "BrowserLimit" };

/** Creates requests that wait for the account's only browser, and records the order of their responses. */
async function newWaitingRig(
  count: number,
): Promise<Rig & { account1: Account; first: OpenBrowser; answered: number[]; opens: Promise<OpenBrowser>[] }> {
  const rig = await newRig();
  const account1 = await rig.account({ parallel: 1, units: 1000 });
  const first = await rig.open(account1, LONG);
  const answered: number[] = [];
  const opens = Array.from({ length: count }, async (_, index) => {
    const browser = await rig.open(account1, WAIT);
    answered.push(index);
    return browser;
  });
  for (const open of opens) open.catch(() => {});
  await settled();
  return Object.assign(rig, { account1, first, answered, opens });
}

/** Returns the numbers of waiting requests. */
function waits(rig: Rig): object {
  return { ofAccounts: rig.queue.waiting, ofMachine: rig.capacity.waiting };
}

const NOBODY = { ofAccounts: 0, ofMachine: 0 };

test("requests wait for room within the account's limit, use no resources, and are served in arrival order", async () => {
  await using rig = await newWaitingRig(3);
  expect(await heldBy(rig, rig.account1)).toEqual({ running: 1, slots: 1, rows: 1, listed: 1 });
  expect(waits(rig)).toEqual({ ofAccounts: 3, ofMachine: 0 });
  await rig.first.close("requested");
  const second = await rig.opens[0];
  await settled();
  expect(rig.answered).toEqual([0]);
  await second?.close("requested");
  await (await rig.opens[1])?.close("requested");
  await rig.opens[2];
  expect(rig.answered).toEqual([0, 1, 2]);
  expect(waits(rig)).toEqual(NOBODY);
});

test("a request past its time limit is refused as if it hadn't waited, and its resources are released", async () => {
  await using rig = await newWaitingRig(2);
  const before = await rig.unitsUsed(rig.account1);
  await rig.clock.pass(29_999);
  expect(waits(rig)).toEqual({ ofAccounts: 2, ofMachine: 0 });
  await rig.clock.pass(1);
  await expect(rig.opens[0]).rejects.toMatchObject(LIMIT);
  await expect(rig.opens[1]).rejects.toMatchObject(LIMIT);
  expect(waits(rig)).toEqual(NOBODY);
  expect(await rig.unitsUsed(rig.account1)).toBe(before);
  await rig.first.close("requested");
  expect(await heldBy(rig, rig.account1)).toEqual(NOTHING);
});

test("a client that disconnects stops waiting immediately, and the next request opens a browser instead", async () => {
  await using rig = await newWaitingRig(0);
  const gone = new AbortController();
  const left = rig.open(rig.account1, WAIT, gone.signal);
  left.catch(() => {});
  const next = rig.open(rig.account1, WAIT);
  await settled();
  gone.abort(new Error("gone"));
  await expect(left).rejects.toThrow("gone");
  expect(rig.queue.waiting).toBe(1);
  await rig.first.close("requested");
  await next;
  expect(await heldBy(rig, rig.account1)).toEqual({ running: 1, slots: 1, rows: 1, listed: 1 });
});

test("a client that disconnects during its attempt doesn't keep its reservation", async () => {
  await using rig = await newWaitingRig(0);
  const gone = new AbortController();
  const left = rig.open(rig.account1, WAIT, gone.signal);
  left.catch(() => {});
  const next = rig.open(rig.account1, WAIT);
  await settled();
  const turn = Promise.withResolvers<void>();
  const { reserve } = rig.store.browsers;
  Object.assign(rig.store.browsers, {
    reserve: async (...args: Parameters<typeof reserve>) => {
      await turn.promise;
      return await reserve(...args);
    },
  });
  await rig.first.close("requested");
  gone.abort(new Error("gone"));
  turn.resolve();
  await expect(left).rejects.toThrow("gone");
  await next;
  expect(await heldBy(rig, rig.account1)).toEqual({ running: 1, slots: 1, rows: 1, listed: 1 });
});

test("only 100 of an account's requests wait, and the next request is refused immediately", async () => {
  await using rig = await newWaitingRig(100);
  await expect(rig.open(rig.account1, WAIT)).rejects.toMatchObject(LIMIT);
  const other = await rig.account({ parallel: 1 });
  await rig.open(other);
  void rig.open(other, WAIT).catch(() => {});
  await settled();
  expect(rig.queue.waiting).toBe(101);
});

test("an Open request is refused immediately unless the account or the machine is full", async () => {
  await using rig = await newRig();
  await expect(rig.open(await rig.account({ units: 0 }), WAIT)).rejects.toMatchObject({ failure: "NoUnits" });
  await expect(rig.open(await rig.account({ plan: undefined }), WAIT)).rejects.toMatchObject({
    failure: "NoSubscription",
  });
  expect(rig.clock.pending).toBe(2);
});

test("the end of a browser on another server is noticed within a second", async () => {
  await using rig = await newWaitingRig(1);
  const reservation = await reserveElsewhere(rig);
  await rig.first.close("requested");
  await rig.clock.pass(5000);
  expect(rig.answered).toEqual([]);
  await rig.store.browsers.cancel(reservation);
  await rig.clock.pass(1000);
  await rig.opens[0];
});

test("switching to a larger plan admits waiting requests, and removing the plan refuses them", async () => {
  await using rig = await newWaitingRig(1);
  await rig.accounts.change({ id: rig.account1.id }, { parallel: 2 });
  await rig.clock.pass(1000);
  await rig.opens[0];
  const waiting = rig.open(rig.account1, WAIT);
  waiting.catch(() => {});
  await settled();
  await rig.accounts.change({ id: rig.account1.id }, { plan: null });
  await rig.clock.pass(1000);
  await expect(waiting).rejects.toMatchObject({ failure: "NoSubscription" });
});

test("a thousand waiting requests cause one query per second", async () => {
  await using rig = await newRig();
  let reservations = 0;
  let queries = 0;
  const { reserve } = rig.store.browsers;
  const { loads } = rig.store.usage;
  for (let each = 0; each < 10; each += 1) {
    const account = await rig.account({ parallel: 1 });
    await rig.open(account);
    for (let one = 0; one < 100; one += 1) void rig.open(account, WAIT).catch(() => {});
  }
  await settled();
  await rig.clock.pass(1000);
  Object.assign(rig.store.browsers, {
    reserve: (...args: Parameters<typeof reserve>) => ((reservations += 1), reserve(...args)),
  });
  Object.assign(rig.store.usage, { loads: (...args: Parameters<typeof loads>) => ((queries += 1), loads(...args)) });
  await rig.clock.pass(5000);
  expect({ reservations, queries, waiting: rig.queue.waiting }).toEqual({ reservations: 0, queries: 5, waiting: 1000 });
});

test("requests waiting for a slot keep their reservations, and accounts with fewer browsers go first", async () => {
  await using rig = await newRig({ capacity: 2 });
  const [rich, poor] = [await rig.account({ parallel: 9, units: 99 }), await rig.account({ parallel: 9, units: 99 })];
  const [one, other] = [await rig.open(rich), await rig.open(rich)];
  const opened: string[] = [];
  const opens = [rich, poor].map(async (account) => {
    const browser = await rig.open(account, WAIT);
    opened.push(account === rich ? "rich" : "poor");
    return browser;
  });
  await settled();
  expect(waits(rig)).toEqual({ ofAccounts: 0, ofMachine: 2 });
  expect(await heldBy(rig, poor)).toMatchObject({ rows: 1, listed: 0 });
  await one.close("requested");
  await opens[1];
  expect(opened).toEqual(["poor"]);
  await other.close("requested");
  await opens[0];
});

test("a request that gets no slot in time returns 503, and its reservation is released", async () => {
  await using rig = await newRig({ capacity: 1 });
  await rig.open(await rig.account(), LONG);
  const account = await rig.account();
  const refused = rig.open(account, WAIT);
  refused.catch(() => {});
  await settled();
  await rig.clock.pass(29_999);
  expect(waits(rig)).toEqual({ ofAccounts: 0, ofMachine: 1 });
  await rig.clock.pass(1);
  await expect(refused).rejects.toMatchObject({ failure: "BrowserUnavailable", retryAfterS: 5 });
  expect(waits(rig)).toEqual(NOBODY);
  expect((await heldBy(rig, account)).rows).toBe(0);
});

test("after a wait, the browser must start in the remaining time; without a wait, in the usual time", async () => {
  const starts = Promise.withResolvers<never>();
  await using rig = await newRig({
    host: (fake) =>
      Object.assign(Object.create(fake) as typeof fake, {
        launch: (_: unknown, signal: AbortSignal) =>
          Promise.race([
            starts.promise,
            new Promise<never>((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
          ]),
      }),
  });
  const account = await rig.account({ parallel: 1 });
  const first = rig.open(account, WAIT);
  first.catch(() => {});
  await settled();
  await rig.clock.pass(40_000);
  const second = rig.open(account, WAIT);
  second.catch(() => {});
  await settled();
  await rig.clock.pass(15_000);
  await expect(first).rejects.toMatchObject({ message: expect.stringContaining("within 55 s") });
  await rig.clock.pass(14_999);
  expect(rig.capacity.taken).toBe(1);
  await rig.clock.pass(1);
  await expect(second).rejects.toMatchObject({
    message: expect.stringContaining("WaitForPlace of 30 s"),
    retryAfterS: 5,
  });
  expect(await heldBy(rig, account)).toEqual(NOTHING);
});

test("a shutdown refuses waiting requests, and leaves no timers running", async () => {
  await using rig = await newWaitingRig(2);
  await rig.localBrowsers.closeAll("shutdown");
  for (const open of rig.opens)
    await expect(open).rejects.toMatchObject({ failure: "BrowserUnavailable", retryAfterS: 10 });
  expect(waits(rig)).toEqual(NOBODY);
});

/** Reserves a browser once the account is below its limit, as another server would. @returns The browser's id. */
async function reserveElsewhere(rig: Awaited<ReturnType<typeof newWaitingRig>>): Promise<string> {
  const { account1, clock, store } = rig;
  const browserId = "br_elsewhere";
  const reservation = {
    browserId,
    accountId: account1.id,
    version: account1.version,
    kind: "chromium",
    isHeadless: true,
    label: undefined,
    tags: [],
    requestedAt: clock.now(),
    period: "2026-11",
  } as const;
  // Exceeds the account's terms, so that the account remains full after its first browser closes.
  expect(await store.browsers.reserve(reservation, { parallel: 2, units: undefined })).toBeUndefined();
  return browserId;
}
