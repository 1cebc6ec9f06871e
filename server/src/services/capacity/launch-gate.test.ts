import { expect, test } from "vitest";
import { FakeClock } from "../../../test/fakes/fake-clock.ts";
import { LaunchGate, type GateLimits } from "./launch-gate.ts";

const NEVER = new AbortController().signal;
const BUSY = { failure: "BrowserUnavailable", retryAfterS: 5 };

function newGate(limits: Partial<GateLimits> = {}) {
  const clock = new FakeClock();
  const gate = new LaunchGate({ atOnce: 2, maxQueued: 3, maxWaitMs: 1000, ...limits }, clock);
  return { clock, gate, state: () => ({ running: gate.running, waiting: gate.waiting, timers: clock.pending }) };
}

const NOTHING = { running: 0, waiting: 0, timers: 0 };

test("an Open request is refused with Retry-After if the queue is full or the wait is too long", async () => {
  const { gate, clock, state } = newGate({ atOnce: 1, maxQueued: 1 });
  const turn = await gate.acquire(NEVER);
  const late = gate.acquire(NEVER).catch((reason: unknown) => reason);
  await expect(gate.acquire(NEVER)).rejects.toMatchObject(BUSY);
  await clock.pass(1000);
  expect(await late).toMatchObject(BUSY);
  turn[Symbol.dispose]();
  expect(state()).toEqual(NOTHING);
});

test("warm browsers start only while no Open request is launching or waiting, and never use all permits", async () => {
  const { gate, state } = newGate({ atOnce: 8 });
  {
    using _open = await gate.acquire(NEVER);
    expect(gate.tryAcquireForRefill()).toBeUndefined();
  }
  const refills = [gate.tryAcquireForRefill(), gate.tryAcquireForRefill(), gate.tryAcquireForRefill()];
  expect(refills.map((turn) => turn !== undefined)).toEqual([true, true, false]);
  const opens = await Promise.all(Array.from({ length: 6 }, () => gate.acquire(NEVER)));
  const waiting = gate.acquire(NEVER);
  expect(state()).toMatchObject({ running: 8, waiting: 1 });
  expect(gate.tryAcquireForRefill()).toBeUndefined();
  refills[0]?.[Symbol.dispose]();
  const last = await waiting;
  for (const turn of [...opens, last, refills[1]]) turn?.[Symbol.dispose]();
  expect(state()).toEqual(NOTHING);
});
