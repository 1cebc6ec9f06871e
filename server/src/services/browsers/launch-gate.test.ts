import { expect, test } from "vitest";
import { FakeClock } from "../../../test/fakes/fake-clock.ts";
import { LaunchGate, type GateLimits, type Turn } from "./launch-gate.ts";

const NEVER = new AbortController().signal;
const GONE = new Error("gone");

function newGate(limits: Partial<GateLimits> = {}) {
  const clock = new FakeClock();
  const gate = new LaunchGate({ atOnce: 2, maxQueued: 3, maxWaitMs: 1000, ...limits }, clock);
  return { clock, gate, state: () => ({ running: gate.running, queued: gate.queued, timers: clock.waiting }) };
}

const NOTHING = { running: 0, queued: 0, timers: 0 };

async function settled(): Promise<void> {
  await new Promise(setImmediate);
}

test("no more launches run at once than may, and the others come in the order of their arrival", async () => {
  const { gate, state } = newGate();
  const came: number[] = [];
  const turns: Turn[] = [];
  const all = [1, 2, 3, 4, 5].map(async (number) => {
    turns.push(await gate.enter(NEVER));
    came.push(number);
  });
  await settled();
  expect(came).toEqual([1, 2]);
  expect(state()).toEqual({ running: 2, queued: 3, timers: 3 });
  for (let left = 5; left > 0; left -= 1) {
    turns.shift()?.[Symbol.dispose]();
    await settled();
    expect(gate.running).toBeLessThanOrEqual(2);
  }
  await Promise.all(all);
  expect(came).toEqual([1, 2, 3, 4, 5]);
  expect(state()).toEqual(NOTHING);
});

test("a turn given back twice lets only one in", async () => {
  const { gate, state } = newGate({ atOnce: 1 });
  const turn = await gate.enter(NEVER);
  const [second, third] = [gate.enter(NEVER), gate.enter(NEVER)];
  turn[Symbol.dispose]();
  turn[Symbol.dispose]();
  await settled();
  expect(state()).toMatchObject({ running: 1, queued: 1 });
  (await second)[Symbol.dispose]();
  (await third)[Symbol.dispose]();
  expect(state()).toEqual(NOTHING);
});

test("when the queue is full, the next one is told at once to come back", async () => {
  const { gate, state } = newGate({ atOnce: 1, maxQueued: 1 });
  using turn = await gate.enter(NEVER);
  const waiting = gate.enter(NEVER);
  await expect(gate.enter(NEVER)).rejects.toMatchObject({ failure: "BrowserUnavailable", retryAfterS: 5 });
  turn[Symbol.dispose]();
  (await waiting)[Symbol.dispose]();
  expect(state()).toEqual(NOTHING);
});

test("whoever has waited too long is told to come back, and takes no turn any more", async () => {
  const { gate, clock, state } = newGate({ atOnce: 1 });
  const turn = await gate.enter(NEVER);
  const late = gate.enter(NEVER).catch((reason: unknown) => reason);
  await clock.pass(1000);
  expect(await late).toMatchObject({ failure: "BrowserUnavailable", retryAfterS: 5 });
  turn[Symbol.dispose]();
  expect(state()).toEqual(NOTHING);
});

test("whoever leaves is out of the queue, and the one behind moves up", async () => {
  const { gate, state } = newGate({ atOnce: 1 });
  const caller = new AbortController();
  const turn = await gate.enter(NEVER);
  const left = gate.enter(caller.signal).catch((reason: unknown) => reason);
  const next = gate.enter(NEVER);
  caller.abort(GONE);
  expect(state()).toMatchObject({ running: 1, queued: 1 });
  expect(await left).toBe(GONE);
  turn[Symbol.dispose]();
  (await next)[Symbol.dispose]();
  expect(state()).toEqual(NOTHING);
});

test("a turn is never given to somebody who leaves or is late in the same moment", async () => {
  const { gate, clock, state } = newGate({ atOnce: 1 });
  const caller = new AbortController();
  const turn = await gate.enter(NEVER);
  const left = gate.enter(caller.signal).catch((reason: unknown) => reason);
  caller.abort(GONE);
  turn[Symbol.dispose]();
  expect(await left).toBe(GONE);
  expect(state()).toEqual(NOTHING);
  await expect(gate.enter(caller.signal)).rejects.toBe(GONE);
  await clock.pass(2000);
  expect(state()).toEqual(NOTHING);
});

test("what nobody waits for starts only while no Open launches or waits, and leaves turns for Opens", async () => {
  const { gate, state } = newGate({ atOnce: 8 });
  {
    using _open = await gate.enter(NEVER);
    expect(gate.enterQuietly()).toBeUndefined();
  }
  const refills = [gate.enterQuietly(), gate.enterQuietly(), gate.enterQuietly()];
  expect(refills.map((turn) => turn !== undefined)).toEqual([true, true, false]);
  const opens = await Promise.all(Array.from({ length: 6 }, () => gate.enter(NEVER)));
  const waiting = gate.enter(NEVER);
  expect(state()).toMatchObject({ running: 8, queued: 1 });
  expect(gate.enterQuietly()).toBeUndefined();
  refills[0]?.[Symbol.dispose]();
  const last = await waiting;
  for (const turn of [...opens, last, refills[1]]) turn?.[Symbol.dispose]();
  expect(state()).toEqual(NOTHING);
});
