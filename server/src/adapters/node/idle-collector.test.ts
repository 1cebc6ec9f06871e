import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { FakeClock } from "../../../test/fakes/fake-clock.ts";
import { startIdleCollector } from "./idle-collector.ts";

const MB = 1024 * 1024;

type State = { utilization: number; memoryBytes: number | undefined; collections: number };

function start() {
  const clock = new FakeClock();
  const state: State = { utilization: 0, memoryBytes: 30 * MB, collections: 0 };
  const collector = startIdleCollector(clock, {
    readUtilization: () => state.utilization,
    memoryBytes: () => state.memoryBytes,
    collect() {
      state.collections++;
      state.memoryBytes = 28 * MB;
    },
  });
  return { clock, state, collector };
}

test("garbage is collected once when the server becomes idle", async () => {
  const { clock, state } = start();
  Object.assign(state, { utilization: 0.9, memoryBytes: 120 * MB });
  await clock.pass(60_000);
  expect(state.collections).toBe(0);
  state.utilization = 0.01;
  await clock.pass(60_000);
  expect(state.collections).toBe(1);
});

test("a small amount of garbage doesn't trigger a collection", async () => {
  const { clock, state } = start();
  state.memoryBytes = 60 * MB;
  await clock.pass(60_000);
  expect(state.collections).toBe(0);
});

test("garbage isn't collected while memory usage can't be read", async () => {
  const { clock, state } = start();
  state.memoryBytes = undefined;
  await clock.pass(60_000);
  expect(state.collections).toBe(0);
  state.memoryBytes = 120 * MB;
  await clock.pass(10_000);
  expect(state.collections).toBe(1);
});

test("a disposed collector leaves no timer", async () => {
  const { clock, collector } = start();
  await clock.pass(25_000);
  collector[Symbol.dispose]();
  expect(clock.pending).toBe(0);
});

test("the collector keeps running when no descriptor is free to read the memory usage", () => {
  const script = `
    import { openSync } from "node:fs";
    import { startIdleCollector } from ${JSON.stringify(new URL("idle-collector.ts", import.meta.url).href)};
    const checks = [];
    startIdleCollector({ after: (_, check) => (checks.push(check), () => {}) });
    try { for (;;) openSync("/dev/null"); } catch {}
    checks[0]();
    process.exit(checks.length === 2 ? 0 : 1);`;
  const node = [process.execPath, "--input-type=module", "--eval", script];
  expect(spawnSync("prlimit", ["--nofile=64", "--", ...node], { encoding: "utf8" })).toMatchObject({
    status: 0,
    stderr: "",
  });
});

test("the engine frees garbage", async () => {
  const clock = new FakeClock();
  using _collector = startIdleCollector(clock);
  const before = process.memoryUsage().heapUsed;
  let garbage: unknown[] | undefined = Array.from({ length: 1_000_000 }, (_, index) => ({ index }));
  expect(process.memoryUsage().heapUsed - before).toBeGreaterThan(32 * MB);
  garbage = undefined;
  expect(garbage).toBeUndefined();
  // The engine counts this period as busy and the next one as idle.
  await clock.pass(10_000);
  await new Promise((resolve) => setTimeout(resolve, 500));
  await clock.pass(10_000);
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(16 * MB);
});
