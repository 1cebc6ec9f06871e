import { describe, expect, test } from "vitest";
import { OPTIONS } from "../../../test/support/servers/services-rig.ts";
import { settled } from "../../../test/fakes/fake-clock.ts";
import { SETS, failures, newWarmRig, openedLogs } from "../../../test/support/servers/warm-rig.ts";
import type { UpstreamProxy } from "../../domain/network/upstream-proxy.ts";

const NEVER = new AbortController().signal;
const PROXY: UpstreamProxy = { scheme: "http", host: "proxy.example", port: 3128, credentials: undefined };

describe("a warm browser", () => {
  test("costs no units, isn't listed, and serves only one Open request", async () => {
    await using rig = await newWarmRig();
    const account = await rig.account({ parallel: 2 });
    await rig.clock.pass(500);
    expect([rig.pool.ready, rig.capacity.taken]).toEqual([1, 0]);
    expect([rig.localBrowsers.list(account).length, await rig.unitsUsed(account)]).toEqual([0, 0]);
    await rig.clock.pass(3_600_000);
    const first = await rig.open(account);
    expect(first.openedAt).toEqual(rig.clock.now());
    await rig.open(account);
    expect(openedLogs(rig)).toMatchObject([{ isWarm: true }, { isWarm: false }]);
    expect(await rig.unitsUsed(account)).toBe(2);
    await expect(rig.open(account)).rejects.toMatchObject({ failure: "BrowserLimit" });
  });

  test("starts without network access, and receives the Open request's proxy", async () => {
    await using rig = await newWarmRig();
    const account = await rig.account();
    await rig.clock.pass(500);
    await rig.open(account, { proxy: PROXY });
    await rig.clock.pass(500);
    await rig.open(account);
    expect(rig.controlled.specs.map(({ proxy }) => proxy)).toEqual(["nowhere", "nowhere"]);
    expect(rig.controlled.routes).toEqual([PROXY, undefined]);
  });

  test.each([
    [{ isHeadless: false }, false],
    [{ isStealthy: false }, false],
    [{ kind: "chrome-headless-shell" } as const, false],
    [{ switches: ["--lang=de"] }, false],
    [{ switches: ["--lang=fr", "--force-dark-mode"] }, true],
    [{ switches: ["--lang=fr", "--force-dark-mode"], ignoredSwitches: ["--mute-audio"] }, false],
    [{ switches: ["--force-dark-mode", "--lang=fr"], label: "mine", keepOpenMs: 5 }, true],
  ])("fits only an Open request that would start the same browser: %j → %s", async (options, isWarm) => {
    const switches = ["--force-dark-mode", "--lang=fr"];
    await using rig = await newWarmRig({ warm: [{ options: { ...OPTIONS, switches }, count: 1 }] });
    await rig.clock.pass(500);
    await rig.open(await rig.account(), options);
    expect(openedLogs(rig)).toMatchObject([{ isWarm }]);
  });

  test("delays the Open request until it has started, and stays in the pool if the caller disconnects", async () => {
    await using rig = await newWarmRig();
    const start = Promise.withResolvers<void>();
    rig.controlled.gate = start.promise;
    await rig.clock.pass(500);
    const caller = new AbortController();
    const account = await rig.account();
    const gone = new Error("gone");
    const left = rig.open(account, {}, caller.signal).catch((reason: unknown) => reason);
    await settled();
    caller.abort(gone);
    expect(await left).toBe(gone);
    const opening = rig.open(account);
    await settled();
    start.resolve();
    await opening;
    expect(openedLogs(rig)).toMatchObject([{ isWarm: true }]);
    expect([rig.controlled.specs.length, rig.host.running]).toEqual([1, 1]);
  });

  test("serves only one Open request, even while starting", async () => {
    await using rig = await newWarmRig();
    const start = Promise.withResolvers<void>();
    rig.controlled.gates.push(start.promise);
    await rig.clock.pass(500);
    const account = await rig.account();
    const waiting = rig.open(account);
    await settled();
    await rig.open(account);
    start.resolve();
    await waiting;
    expect(openedLogs(rig)).toMatchObject([{ isWarm: false }, { isWarm: true }]);
  });

  test("is taken first if it is ready and another browser is still starting", async () => {
    await using rig = await newWarmRig({ warm: [{ options: OPTIONS, count: 2 }] });
    const start = Promise.withResolvers<void>();
    rig.controlled.gates.push(start.promise);
    await rig.clock.pass(500);
    expect([rig.pool.ready, rig.pool.size]).toEqual([1, 2]);
    const opening = rig.open(await rig.account());
    await settled();
    expect(openedLogs(rig)).toMatchObject([{ isWarm: true }]);
    start.resolve();
    await opening;
  });

  test("isn't taken by an Open request if it crashes during startup", async () => {
    await using rig = await newWarmRig();
    const start = Promise.withResolvers<void>();
    rig.controlled.gates.push(start.promise);
    await rig.clock.pass(500);
    rig.controlled.crashesAtStart = true;
    const opening = rig.open(await rig.account());
    await settled();
    start.resolve();
    await settled();
    rig.controlled.crashesAtStart = false;
    await opening;
    expect(openedLogs(rig)).toMatchObject([{ isWarm: false }]);
  });

  test("if it fails to start, a new browser replaces it for the waiting Open request", async () => {
    await using rig = await newWarmRig();
    const start = Promise.withResolvers<void>();
    rig.controlled.gate = start.promise;
    rig.controlled.failures = 1;
    await rig.clock.pass(500);
    const opening = rig.open(await rig.account());
    await settled();
    start.resolve();
    await opening;
    expect(openedLogs(rig)).toMatchObject([{ isWarm: false }]);
    expect(rig.host.running).toBe(1);
  });
});

describe("a free slot", () => {
  test("is filled half a second after the first slot became free, even if more slots become free", async () => {
    await using rig = await newWarmRig({ warm: [{ options: OPTIONS, count: 2 }] });
    const account = await rig.account();
    await rig.clock.pass(500);
    expect(rig.controlled.specs).toHaveLength(2);
    await rig.open(account);
    await rig.clock.pass(300);
    await rig.open(account);
    await rig.clock.pass(199);
    expect(rig.controlled.specs).toHaveLength(2);
    await rig.clock.pass(1);
    expect([rig.controlled.specs.length, rig.pool.ready]).toEqual([4, 2]);
  });

  test("isn't filled sooner when another set is refilled", async () => {
    const other = { ...OPTIONS, isStealthy: false };
    await using rig = await newWarmRig({ warm: [{ options: other, count: 1 }, ...SETS] });
    rig.controlled.ofStealthy = () => Promise.reject(new Error("No."));
    await rig.clock.pass(10_300);
    const before = rig.controlled.specs.length;
    await rig.open(await rig.account(), other);
    await rig.clock.pass(499);
    expect(rig.controlled.specs.slice(before).filter(({ isStealthy }) => !isStealthy)).toEqual([]);
    await rig.clock.pass(500);
    expect(rig.pool.ready).toBe(1);
  });

  test("isn't filled while an Open request launches a browser or waits for its permit", async () => {
    await using rig = await newWarmRig({ gate: { atOnce: 2 } });
    const turn = await rig.gate.acquire(NEVER);
    await rig.clock.pass(5000);
    expect(rig.controlled.specs).toHaveLength(0);
    turn[Symbol.dispose]();
    await rig.clock.pass(500);
    expect(rig.pool.ready).toBe(1);
  });

  test("leaves launch permits for Open requests", async () => {
    await using rig = await newWarmRig({ warm: [{ options: OPTIONS, count: 5 }], gate: { atOnce: 8 } });
    const start = Promise.withResolvers<void>();
    rig.controlled.gate = start.promise;
    await rig.clock.pass(2000);
    expect([rig.controlled.specs.length, rig.gate.running]).toEqual([2, 2]);
    start.resolve();
    await settled();
    await rig.clock.pass(500);
    expect([rig.pool.ready, rig.gate.running]).toEqual([5, 0]);
  });
});

describe("a warm browser that fails", () => {
  test("is retried after increasing delays, and each failure is logged once", async () => {
    await using rig = await newWarmRig();
    rig.controlled.failures = 9;
    await rig.clock.pass(180_000);
    expect(failures(rig)).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
    expect(rig.controlled.specs).toHaveLength(8);
    await rig.clock.pass(120_000);
    expect([rig.pool.ready, rig.host.running]).toEqual([1, 1]);
  });

  test("is again retried after the initial delay once an Open request has received a browser", async () => {
    await using rig = await newWarmRig();
    const account = await rig.account();
    rig.controlled.failures = 2;
    await rig.clock.pass(5000);
    await rig.open(account);
    rig.controlled.failures = 1;
    await rig.clock.pass(5000);
    expect(failures(rig)).toEqual([1000, 2000, 1000]);
  });

  test("doesn't affect other sets", async () => {
    const other = { ...OPTIONS, isStealthy: false };
    await using rig = await newWarmRig({ warm: [...SETS, { options: other, count: 1 }] });
    rig.controlled.ofStealthy = () => Promise.reject(new Error("No."));
    await rig.clock.pass(1000);
    expect(rig.pool.ready).toBe(1);
    expect(failures(rig)).toEqual([1000]);
  });

  test.each(["crashed", "exited", "hung"] as const)(
    "is removed and replaced if it was ready when it %s",
    async (exit) => {
      await using rig = await newWarmRig();
      await rig.clock.pass(500);
      const [{ id } = { id: "" }] = rig.controlled.specs;
      rig.controlled.end(id, exit);
      await settled();
      expect([rig.pool.ready, rig.host.running]).toEqual([0, 0]);
      expect(rig.log.lines.at(-1)).toMatchObject({ event: "warm.failed", facts: { id, exit, retryMs: 1000 } });
      await rig.clock.pass(1000);
      expect([rig.pool.ready, rig.host.running]).toEqual([1, 1]);
    },
  );

  test("is replaced within a minute if its version is outdated, and isn't taken by an Open request before that", async () => {
    await using rig = await newWarmRig();
    const { specs, outdated } = rig.controlled;
    await rig.clock.pass(500);
    outdated.add(specs[0]?.id ?? "");
    await rig.clock.pass(60_000);
    expect(rig.log.lines.filter(({ event }) => event === "warm.outdated")).toMatchObject([
      { facts: { id: specs[0]?.id } },
    ]);
    await rig.clock.pass(500);
    expect([rig.pool.ready, rig.host.running, specs.length]).toEqual([1, 1, 2]);
    outdated.add(specs[1]?.id ?? "");
    await rig.open(await rig.account());
    expect(openedLogs(rig)).toMatchObject([{ isWarm: false }]);
  });

  test("is retried after increasing delays if it fails soon after each start, until a browser runs for a minute", async () => {
    await using rig = await newWarmRig();
    await rig.clock.pass(500);
    for (const lifeMs of [10, 10, 10, 60_000]) {
      await rig.clock.pass(lifeMs);
      rig.controlled.end(rig.controlled.specs.at(-1)?.id ?? "", "crashed");
      await settled();
      await rig.clock.pass(10_000);
    }
    expect(failures(rig)).toEqual([1000, 2000, 4000, 1000]);
  });

  test("counts as the Open request's browser, not as a warm browser, once the request has taken it", async () => {
    await using rig = await newWarmRig();
    await rig.clock.pass(500);
    const browser = await rig.open(await rig.account());
    rig.controlled.end(rig.controlled.specs[0]?.id ?? "", "crashed");
    await browser.closed;
    expect(rig.log.lines.filter(({ event }) => event === "warm.failed")).toEqual([]);
    expect([rig.host.running, rig.capacity.taken]).toEqual([0, 0]);
  });
});
