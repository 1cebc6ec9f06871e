import { describe, expect, test } from "vitest";
import { OPTIONS } from "../../../test/support/servers/services-rig.ts";
import { settled } from "../../../test/fakes/fake-clock.ts";
import { failures, newWarmRig } from "../../../test/support/servers/warm-rig.ts";

const NEVER = new AbortController().signal;

describe("a machine's capacity", () => {
  const OTHER = { isStealthy: false };

  test("includes open and warm browsers, and warm browsers use only free slots", async () => {
    await using rig = await newWarmRig({ capacity: 3, warm: [{ options: OPTIONS, count: 3 }] });
    const account = await rig.account({ parallel: 5 });
    await rig.clock.pass(500);
    expect(rig.host.running).toBe(3);
    const browsers = [await rig.open(account), await rig.open(account)];
    await rig.clock.pass(5000);
    expect([rig.host.running, rig.pool.ready]).toEqual([3, 1]);
    await browsers[0]?.close("requested");
    await rig.clock.pass(500);
    expect([rig.host.running, rig.pool.ready]).toEqual([3, 2]);
  });

  test("is freed for an Open request with other options once a warm browser has ended", async () => {
    let most = 0;
    await using rig = await newWarmRig({ capacity: 2, warm: [{ options: OPTIONS, count: 2 }] });
    const account = await rig.account({ parallel: 5 });
    await rig.clock.pass(500);
    const watch = rig.controlled.launch.bind(rig.controlled);
    rig.controlled.launch = async (spec, signal) => {
      most = Math.max(most, rig.host.running);
      return watch(spec, signal);
    };
    await rig.open(account, OTHER);
    await rig.clock.pass(5000);
    expect([most, rig.host.running, rig.pool.ready]).toEqual([1, 2, 1]);
    await rig.open(account, OTHER);
    expect([most, rig.host.running, rig.pool.ready]).toEqual([1, 2, 0]);
    await expect(rig.open(account)).rejects.toMatchObject({ failure: "BrowserUnavailable", retryAfterS: 5 });
  });

  test("isn't exceeded by concurrent Open requests for several sets of options", async () => {
    await using rig = await newWarmRig({ capacity: 3, warm: [{ options: OPTIONS, count: 3 }] });
    const account = await rig.account({ parallel: 5 });
    await rig.clock.pass(500);
    await Promise.all([rig.open(account, OTHER), rig.open(account), rig.open(account, OTHER)]);
    expect([rig.host.running, rig.pool.size, rig.capacity.taken]).toEqual([3, 0, 3]);
  });

  test("includes browsers that are still ending", async () => {
    await using rig = await newWarmRig({ capacity: 1 });
    const account = await rig.account();
    await rig.clock.pass(500);
    const exit = Promise.withResolvers<void>();
    rig.controlled.exit = exit.promise;
    const caller = new AbortController();
    const left = rig.open(account, OTHER, caller.signal).catch((reason: unknown) => reason);
    await settled();
    caller.abort(new Error("gone"));
    expect([rig.pool.ready, rig.pool.size]).toEqual([0, 1]);
    await rig.clock.pass(5000);
    expect(rig.controlled.specs).toHaveLength(1);
    exit.resolve();
    expect(await left).toBe(caller.signal.reason);
    await rig.clock.pass(500);
    expect([rig.pool.ready, rig.host.running, rig.capacity.taken]).toEqual([1, 1, 0]);
  });

  test("is also freed when a start is canceled", async () => {
    await using rig = await newWarmRig({ capacity: 1 });
    rig.controlled.ofStealthy = (signal) =>
      new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    await rig.clock.pass(500);
    expect(rig.pool.size).toBe(1);
    await rig.open(await rig.account(), OTHER);
    expect([rig.pool.size, rig.host.running]).toEqual([0, 1]);
    expect(failures(rig)).toEqual([]);
  });
});

describe("a shutdown", () => {
  test("ends ready and starting warm browsers, and starts no more", async () => {
    await using rig = await newWarmRig({ warm: [{ options: OPTIONS, count: 2 }], gate: { atOnce: 2 } });
    const start = Promise.withResolvers<void>();
    await rig.clock.pass(500);
    rig.controlled.gate = start.promise;
    await rig.open(await rig.account(), { keepOpenMs: 600_000 });
    await rig.clock.pass(500);
    const ended = rig.pool[Symbol.asyncDispose]();
    start.resolve();
    await ended;
    await rig.pool[Symbol.asyncDispose]();
    await rig.clock.pass(120_000);
    expect([rig.pool.size, rig.host.running, rig.gate.running]).toEqual([0, 1, 0]);
    await rig.localBrowsers.closeAll("shutdown");
    expect([rig.host.running, rig.capacity.taken]).toEqual([0, 0]);
    expect(failures(rig)).toEqual([]);
  });

  test("leaves no timer, even before the first start", async () => {
    await using rig = await newWarmRig();
    // The timers for the first start and the review.
    expect(rig.clock.pending).toBe(2);
    await rig.pool[Symbol.asyncDispose]();
    expect(rig.clock.pending).toBe(0);
  });

  test("refuses an Open request that is waiting for its permit", async () => {
    await using rig = await newWarmRig({ warm: [], gate: { atOnce: 1 } });
    using _turn = await rig.gate.acquire(NEVER);
    const account = await rig.account();
    const refused = rig.open(account).catch((reason: unknown) => reason);
    await settled();
    expect(rig.gate.waiting).toBe(1);
    await rig.localBrowsers.closeAll("shutdown");
    expect(await refused).toMatchObject({ failure: "BrowserUnavailable", retryAfterS: 10 });
    expect([rig.gate.waiting, rig.capacity.taken, await rig.unitsUsed(account)]).toEqual([0, 0, 0]);
  });
});
