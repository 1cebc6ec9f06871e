import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { FakeHost } from "../../adapters/fake-browser/fake-host.ts";
import { FakeClock } from "../../../test/fakes/fake-clock.ts";
import { RecordingLog } from "../../../test/fakes/recording-log.ts";
import type { BrowserHost } from "../../ports/browser-host.ts";
import { type WarmSet, toSetsOfDefaults } from "../../domain/browser/warm-set.ts";
import { Capacity } from "./capacity.ts";
import { LaunchGate } from "./launch-gate.ts";
import { Readiness } from "./readiness.ts";
import { WarmPool } from "./warm-pool.ts";

/** A host that counts its starts, and fails on demand. */
class TriedHost extends FakeHost {
  tries = 0;
  isBroken = false;

  override async open(...spec: Parameters<BrowserHost["open"]>): Promise<Awaited<ReturnType<BrowserHost["open"]>>> {
    this.tries += 1;
    if (this.isBroken) throw new Error("It does not start.");
    return super.open(...spec);
  }
}

function newReadiness(host = new TriedHost(), capacity = new Capacity(2), sets: readonly WarmSet[] = []) {
  const clock = new FakeClock();
  const { signal } = new AbortController();
  const log = new RecordingLog();
  const gate = new LaunchGate({ atOnce: 2, maxQueued: 1, maxWaitMs: 1000 }, clock);
  const pool = new WarmPool({ sets, host, gate, capacity, clock, log, newId: randomUUID });
  pool.start();
  return {
    log,
    gate,
    pool,
    host,
    capacity,
    clock,
    readiness: new Readiness({ host, gate, pool, capacity, clock, newId: randomUUID, log, signal }),
  };
}

test("a probe opens a browser and closes it, and its result is used for a minute", async () => {
  const { host, clock, readiness } = newReadiness();
  expect(await readiness.check()).toEqual({ isReady: true });
  await Promise.all([readiness.check(), readiness.check()]);
  expect([host.tries, host.running]).toEqual([1, 0]);
  await clock.pass(60_000);
  await readiness.check();
  expect(host.tries).toBe(2);
});

test("a machine that can't open a browser says why, and is probed again soon", async () => {
  const { host, clock, log, readiness } = newReadiness();
  host.isBroken = true;
  expect(await readiness.check()).toEqual({ isReady: false, message: "It does not start." });
  expect(log.lines).toMatchObject([{ event: "probe.failed", facts: { error: { message: "It does not start." } } }]);
  host.isBroken = false;
  expect(await readiness.check()).toMatchObject({ isReady: false });
  await clock.pass(5000);
  expect(await readiness.check()).toEqual({ isReady: true });
});

test("a full machine is ready without a probe", async () => {
  const { host, capacity, readiness } = newReadiness();
  capacity.take();
  capacity.take();
  expect(await readiness.check()).toEqual({ isReady: true });
  expect(host.tries).toBe(0);
});

test("a machine without browsers is not ready", async () => {
  const { readiness } = newReadiness(new TriedHost([]));
  expect(await readiness.check()).toMatchObject({ isReady: false });
});

test("a machine full of warm browsers is ready without a probe", async () => {
  await using host = new TriedHost();
  const { clock, readiness } = newReadiness(host, new Capacity(2), toSetsOfDefaults(2));
  await clock.pass(1000);
  expect([host.tries, host.running]).toEqual([2, 2]);
  expect(await readiness.check()).toEqual({ isReady: true });
  expect(host.tries).toBe(2);
});

test("the probe waits for its turn like an Open request, for a limited time", async () => {
  const { gate, host, clock, readiness } = newReadiness();
  const { signal } = new AbortController();
  using first = await gate.acquire(signal);
  using _second = await gate.acquire(signal);
  const verdict = readiness.check();
  await clock.pass(1000);
  expect(await verdict).toMatchObject({ isReady: false });
  await clock.pass(5000);
  const later = readiness.check();
  first[Symbol.dispose]();
  expect(await later).toEqual({ isReady: true });
  expect([host.tries, host.running, gate.waiting]).toEqual([1, 0, 0]);
});
