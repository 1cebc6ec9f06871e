import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { FakeHost } from "../../adapters/fake-browser/fake-host.ts";
import { FakeClock } from "../../../test/fakes/fake-clock.ts";
import { RecordingLog } from "../../../test/fakes/recording-log.ts";
import type { BrowserHost } from "../../ports/browser-host.ts";
import { type WarmSet, toSetsOfDefaults } from "../../domain/warm/warm-set.ts";
import { Capacity } from "../capacity/capacity.ts";
import { LaunchGate } from "../capacity/launch-gate.ts";
import { ObservedHost, Readiness } from "./readiness.ts";
import { WarmPool } from "../warm/warm-pool.ts";

/** A host that counts its starts and fails on demand. */
class TriedHost extends FakeHost {
  tries = 0;
  isBroken = false;
  isHeadlessOnly = false;

  override async launch(
    ...args: Parameters<BrowserHost["launch"]>
  ): Promise<Awaited<ReturnType<BrowserHost["launch"]>>> {
    this.tries += 1;
    if (this.isBroken || (this.isHeadlessOnly && !args[0].isHeadless)) throw new Error("The browser does not start.");
    return super.launch(...args);
  }
}

function newReadiness(
  host = new TriedHost(),
  capacity = new Capacity(2, new FakeClock()),
  sets: readonly WarmSet[] = [],
) {
  const clock = new FakeClock();
  const shutdown = new AbortController();
  const { signal } = shutdown;
  const log = new RecordingLog();
  const observed = new ObservedHost(host, clock);
  const gate = new LaunchGate({ atOnce: 2, maxQueued: 1, maxWaitMs: 1000 }, clock);
  const pool = new WarmPool({
    plan: { sets, auto: undefined },
    host: observed,
    gate,
    capacity,
    clock,
    log,
    newId: randomUUID,
  });
  pool.start();
  return {
    log,
    gate,
    pool,
    host,
    observed,
    shutdown,
    capacity,
    clock,
    readiness: new Readiness({
      store: { check: async () => {} },
      host: observed,
      gate,
      pool,
      capacity,
      clock,
      newId: randomUUID,
      findRefusal: () => undefined,
      log,
      signal,
    }),
  };
}

const SPEC = {
  kind: "chromium",
  isHeadless: true,
  isStealthy: true,
  switches: [],
  ignoredSwitches: [],
  id: "a client's",
  proxy: undefined,
} as const;

test("a probe opens a browser and closes it, and its result is used for ten minutes", async () => {
  const { host, clock, readiness } = newReadiness();
  expect(readiness.last).toBeUndefined();
  expect(await Promise.all([readiness.check(), readiness.check()])).toEqual([{ status: "ready" }, { status: "ready" }]);
  expect([host.tries, host.running]).toEqual([1, 0]);
  await clock.pass(599_999);
  await readiness.check();
  expect(host.tries).toBe(1);
  await clock.pass(1);
  await readiness.check();
  expect(host.tries).toBe(2);
});

test("without screens, the probe opens a headless browser", async () => {
  const { host, readiness } = newReadiness();
  host.isHeadlessOnly = true;
  expect(await readiness.check()).toEqual({ status: "ready" });
});

test("a browser that a client opened makes the probe unnecessary", async () => {
  const { host, observed, readiness } = newReadiness();
  await using _browser = await observed.launch(SPEC, new AbortController().signal);
  expect(await readiness.check()).toEqual({ status: "ready" });
  expect(host.tries).toBe(1);
});

test("if a client's browser fails to start, a probe decides whether the server is broken", async () => {
  const { host, observed, readiness, clock } = newReadiness();
  await readiness.check();
  await clock.pass(1);
  host.isBroken = true;
  await expect(observed.launch(SPEC, new AbortController().signal)).rejects.toThrow("The browser does not start.");
  host.isBroken = false;
  expect(await readiness.check()).toEqual({ status: "ready" });
  expect(host.tries).toBe(3);
});

test("a server is draining as soon as its shutdown starts", async () => {
  const { host, shutdown, readiness } = newReadiness();
  await readiness.check();
  shutdown.abort();
  expect(await readiness.check()).toEqual({ status: "draining", message: "The server is shutting down." });
  expect(host.tries).toBe(1);
});

test("a probe interrupted by a shutdown doesn't count as failed", async () => {
  const { shutdown, gate, log, readiness } = newReadiness();
  const permits = await Promise.all([1, 2].map(() => gate.acquire(new AbortController().signal)));
  const checked = readiness.check();
  shutdown.abort(new Error("This server is shutting down."));
  expect(await checked).toEqual({ status: "draining", message: "The server is shutting down." });
  expect(log.lines).toEqual([]);
  for (const permit of permits) permit[Symbol.dispose]();
});

test("a machine that can't open a browser reports the reason, and is soon probed again", async () => {
  const { host, clock, log, readiness } = newReadiness();
  host.isBroken = true;
  expect(await readiness.check()).toEqual({ status: "broken", message: "The browser does not start." });
  expect(log.lines).toMatchObject([
    { event: "probe.failed", facts: { error: { message: "The browser does not start." } } },
  ]);
  host.isBroken = false;
  expect(await readiness.check()).toMatchObject({ status: "broken" });
  await clock.pass(5000);
  expect(await readiness.check()).toEqual({ status: "ready" });
});

test("a full machine is reported as full, and isn't probed", async () => {
  const { host, capacity, readiness } = newReadiness();
  capacity.take();
  capacity.take();
  expect(await readiness.check()).toEqual({ status: "full" });
  expect(host.tries).toBe(0);
});

test("a machine without browsers is not ready", async () => {
  const { readiness } = newReadiness(new TriedHost([]));
  expect(await readiness.check()).toMatchObject({ status: "broken" });
});

test("a warm browser of any age makes the probe unnecessary", async () => {
  await using host = new TriedHost();
  const { clock, readiness } = newReadiness(host, new Capacity(2, new FakeClock()), toSetsOfDefaults(2));
  await clock.pass(3_600_000);
  expect([host.tries, host.running]).toEqual([2, 2]);
  expect(await readiness.check()).toEqual({ status: "ready" });
  expect(host.tries).toBe(2);
});

test("the probe waits for a launch permit like an Open request, for a limited time", async () => {
  const { gate, host, clock, readiness } = newReadiness();
  const { signal } = new AbortController();
  using first = await gate.acquire(signal);
  using _second = await gate.acquire(signal);
  const verdict = readiness.check();
  await clock.pass(1000);
  expect(await verdict).toMatchObject({ status: "broken" });
  await clock.pass(5000);
  const later = readiness.check();
  first[Symbol.dispose]();
  expect(await later).toEqual({ status: "ready" });
  expect([host.tries, host.running, gate.waiting]).toEqual([1, 0, 0]);
});
