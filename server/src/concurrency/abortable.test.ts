import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { FakeClock } from "../../test/fakes/fake-clock.ts";
import { orAborted, sleep, waitUpTo, withTimeout } from "./abortable.ts";

const GONE = new Error("gone");
const never = (): Promise<never> => new Promise(() => {});

test("a promise that settles before an abort determines the result, and the abort listener is removed", async () => {
  const { signal } = new AbortController();
  expect(await orAborted(Promise.resolve(1), signal)).toBe(1);
  await expect(orAborted(Promise.reject(new Error("broken")), signal)).rejects.toThrow("broken");
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

test("a wait rejects with the abort reason if its signal is aborted before or during the wait", async () => {
  const caller = new AbortController();
  const waiting = orAborted(never(), caller.signal);
  caller.abort(GONE);
  await expect(waiting).rejects.toBe(GONE);
  await expect(orAborted(Promise.resolve(1), caller.signal)).rejects.toBe(GONE);
  expect(getEventListeners(caller.signal, "abort")).toEqual([]);
});

test("work with a time limit ends when it settles, times out or is aborted, and leaves no timer behind", async () => {
  const clock = new FakeClock();
  const caller = new AbortController();
  const limit = { timeoutMs: 1000, clock, toError: () => new Error("late"), signal: caller.signal };
  expect(await withTimeout(limit, async () => "done")).toBe("done");

  let seen: AbortSignal | undefined;
  const late = withTimeout(limit, (signal) => {
    seen = signal;
    return orAborted(never(), signal);
  }).catch((reason: unknown) => reason);
  await clock.pass(1000);
  expect(await late).toMatchObject({ message: "late" });
  expect(seen?.reason).toBe(await late);

  const left = withTimeout(limit, (signal) => orAborted(never(), signal)).catch((reason: unknown) => reason);
  caller.abort(GONE);
  expect(await left).toBe(GONE);
  await expect(withTimeout(limit, async () => "done")).rejects.toBe(GONE);
  expect(clock.pending).toBe(0);
});

test("a sleep ends after its delay or when it is aborted", async () => {
  const clock = new FakeClock();
  const caller = new AbortController();
  const first = sleep(1000, clock, caller.signal);
  await clock.pass(1000);
  await first;
  const second = sleep(1000, clock, caller.signal);
  caller.abort(GONE);
  await second;
  await sleep(1000, clock, caller.signal);
  expect(clock.pending).toBe(0);
  expect(getEventListeners(caller.signal, "abort")).toEqual([]);
});

test("a limited wait ends when the work settles or the time limit is reached", async () => {
  const clock = new FakeClock();
  await waitUpTo(1000, clock, Promise.resolve());
  await expect(waitUpTo(1000, clock, Promise.reject(GONE))).rejects.toBe(GONE);
  const late = waitUpTo(1000, clock, never());
  await clock.pass(1000);
  await late;
  expect(clock.pending).toBe(0);
});
