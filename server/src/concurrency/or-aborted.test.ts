import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { orAborted } from "./or-aborted.ts";

const GONE = new Error("gone");

test("what comes before the abort counts, and the signal is let go", async () => {
  const { signal } = new AbortController();
  expect(await orAborted(Promise.resolve(1), signal)).toBe(1);
  await expect(orAborted(Promise.reject(new Error("broken")), signal)).rejects.toThrow("broken");
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

test("an abort ends the wait with its reason, whenever it comes", async () => {
  const caller = new AbortController();
  const waiting = orAborted(new Promise(() => {}), caller.signal);
  caller.abort(GONE);
  await expect(waiting).rejects.toBe(GONE);
  await expect(orAborted(Promise.resolve(1), caller.signal)).rejects.toBe(GONE);
  expect(getEventListeners(caller.signal, "abort")).toEqual([]);
});
