import { describe, expect, test } from "vitest";
import { settled } from "../../../test/fakes/fake-clock.ts";
import { BASE, heldBy, newRig, NOTHING, OPTIONS, type Rig } from "../../../test/support/servers/services-rig.ts";
import type { Account } from "../../domain/account/account.ts";
import type { FakeHost } from "../../adapters/fake-browser/fake-host.ts";
import { StoreUnavailable } from "../../ports/store/store.ts";
import { Outbox } from "../store/outbox.ts";
import { WorkerCallHandler } from "./worker-call-handler.ts";
import { Descriptions } from "./descriptions.ts";

const ABANDONED_MS = 30_000;

/** A worker's call handler with an in-memory store. */
async function newHandler(host?: (fake: FakeHost) => FakeHost) {
  const rig = await newRig(host && { host });
  const { localBrowsers, fleet, clock, log, store, events } = rig;
  const cancelled: string[] = [];
  const handler = new WorkerCallHandler({
    fleet,
    localBrowsers,
    desktops: { findByKey: () => undefined },
    descriptions: new Descriptions({ fleet, store: { describe: async () => {} }, events, clock, log }),
    store: {
      async cancel(id, attempt) {
        cancelled.push(`${id} ${attempt}`);
        await store.browsers.cancel(id);
      },
    },
    outbox: new Outbox({ clock, log }),
    clock,
    publicUrl: undefined,
  });
  const account = await rig.account();
  return { rig, handler, account, cancelled };
}

/** Reserves a browser, and returns the call with which a front-end opens it. */
async function place(rig: Rig, account: Account, browserId: string, attempt = 1) {
  const facts = { kind: "chromium", isHeadless: true, label: undefined, tags: [] } as const;
  const reservation = {
    ...facts,
    browserId,
    accountId: account.id,
    version: account.version,
    requestedAt: rig.clock.now(),
  };
  await rig.store.browsers.reserve({ ...reservation, period: "2026-11" }, { parallel: Infinity, units: undefined });
  return {
    browserId,
    attempt,
    account,
    options: { ...OPTIONS, keepOpenMs: 2 * ABANDONED_MS },
    base: BASE,
    maxMs: 55_000,
  };
}

const { signal } = new AbortController();

describe("a browser that was opened for a front-end", () => {
  test("is closed, and its unit isn't charged, if no caller confirms it within 30 seconds", async () => {
    const { rig, handler, account } = await newHandler();
    await using _rig = rig;
    expect(await handler.openPlaced(await place(rig, account, "one"), signal)).toMatchObject({ is: "opened" });
    await rig.clock.pass(ABANDONED_MS - 1);
    expect(rig.localBrowsers.count).toBe(1);
    await rig.clock.pass(1);
    expect([await heldBy(rig, account), await rig.unitsUsed(account)]).toEqual([NOTHING, 0]);
  });

  test("stays open if it was acknowledged or used by a client", async () => {
    const { rig, handler, account } = await newHandler();
    await using _rig = rig;
    for (const id of ["acknowledged", "used"]) await handler.openPlaced(await place(rig, account, id), signal);
    await handler.acknowledge("acknowledged");
    await handler.acknowledge("of an earlier start");
    rig.localBrowsers.findById("used")?.join({ end: () => {} })();
    await rig.clock.pass(ABANDONED_MS);
    expect([rig.localBrowsers.count, await rig.unitsUsed(account)]).toEqual([2, 2]);
  });

  test("is confirmed to a caller that asks in time, but not after it starts closing", async () => {
    const { rig, handler, account } = await newHandler();
    await using _rig = rig;
    await handler.openPlaced(await place(rig, account, "one"), signal);
    const undone = Promise.withResolvers<void>();
    const { cancel } = rig.store.browsers;
    rig.store.browsers.cancel = async (id) => {
      await undone.promise;
      await cancel(id);
    };
    await rig.clock.pass(ABANDONED_MS);
    expect(await handler.acknowledge("one")).toBe(false);
    undone.resolve();
    await rig.clock.pass(0);
    expect([await handler.acknowledge("one"), await heldBy(rig, account)]).toEqual([false, NOTHING]);
    await handler.openPlaced(await place(rig, account, "two"), signal);
    await rig.clock.pass(ABANDONED_MS - 1);
    expect(await handler.acknowledge("two")).toBe(true);
    await rig.clock.pass(1);
    expect([await handler.acknowledge("two"), rig.localBrowsers.count]).toEqual([true, 1]);
  });
});

test("an attempt with an unknown commit outcome cancels its browser, and leaves nothing behind", async () => {
  const { rig, handler, account, cancelled } = await newHandler();
  await using _rig = rig;
  const open = rig.store.browsers.commitOpen.bind(rig.store.browsers);
  rig.store.browsers.commitOpen = async (...given) => {
    await open(...given);
    throw new StoreUnavailable("The response was lost.", { isOutcomeUnknown: true });
  };
  const answer = handler.openPlaced(await place(rig, account, "one", 1), signal);
  await expect(answer).rejects.toMatchObject({ failure: "BrowserUnavailable" });
  expect(cancelled).toEqual(["one 1"]);
  expect([await heldBy(rig, account), await rig.unitsUsed(account)]).toEqual([NOTHING, 0]);
});

test("a second attempt on the same worker is refused until the first attempt has ended", async () => {
  const isLet = Promise.withResolvers<void>();
  let starts = 0;
  const { rig, handler, account } = await newHandler((fake) => {
    const start = fake.launch.bind(fake);
    fake.launch = async (...given) => {
      starts += 1;
      await isLet.promise;
      return start(...given);
    };
    return fake;
  });
  await using _rig = rig;
  const caller = new AbortController();
  const placed = await place(rig, account, "one");
  const first = handler.openPlaced(placed, caller.signal).catch(() => "gone");
  await settled();
  caller.abort(new Error("gone"));
  expect(await handler.openPlaced({ ...placed, attempt: 2 }, signal)).toEqual({ is: "refused" });
  isLet.resolve();
  expect(await first).toBe("gone");
  expect([starts, await heldBy(rig, account)]).toEqual([1, NOTHING]);
  await place(rig, account, "one");
  expect(await handler.openPlaced(placed, signal)).toMatchObject({ is: "opened" });
});
