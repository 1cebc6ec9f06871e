import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Limiter } from "./limiter.ts";

beforeEach(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] }));
afterEach(() => vi.useRealTimers());

test("a refused call returns the number of seconds until a point is free", async () => {
  const limiter = new Limiter({ points: 2, perS: 60 }, 10);
  expect(await limiter.take("a")).toBeUndefined();
  vi.advanceTimersByTime(20_500);
  expect(await limiter.take("a")).toBeUndefined();
  expect(await limiter.take("a")).toBe(40);
  expect(await limiter.take("b")).toBeUndefined();
  vi.advanceTimersByTime(39_500);
  expect(await limiter.take("a")).toBeUndefined();
});

test("refused calls neither extend the period nor use up points that are given back", async () => {
  const limiter = new Limiter({ points: 2, perS: 60 }, 10);
  await limiter.take("a");
  await limiter.take("a");
  for (let refused = 0; refused < 5; refused += 1) expect(await limiter.take("a")).toBe(60);
  await limiter.giveBack("a");
  expect(await limiter.take("a")).toBeUndefined();
  expect(await limiter.take("a")).toBe(60);
});

test("returning a point has no effect after its period has ended", async () => {
  const limiter = new Limiter({ points: 1, perS: 60 }, 10);
  await limiter.take("a");
  vi.advanceTimersByTime(60_000);
  await limiter.giveBack("a");
  expect(await limiter.take("a")).toBeUndefined();
  expect(await limiter.take("a")).toBe(60);
});

test("when there are too many keys, the oldest key is forgotten", async () => {
  const limiter = new Limiter({ points: 1, perS: 60 }, 3);
  for (const key of ["a", "b", "c", "d"]) expect(await limiter.take(key)).toBeUndefined();
  expect(limiter.size).toBe(3);
  for (const key of ["b", "c", "d"]) expect(await limiter.take(key)).toBe(60);
  expect(await limiter.take("a")).toBeUndefined();
  expect(await limiter.take("b")).toBeUndefined();
});

test("a key whose period restarts becomes the newest key", async () => {
  const limiter = new Limiter({ points: 1, perS: 60 }, 2);
  await limiter.take("a");
  vi.advanceTimersByTime(30_000);
  await limiter.take("b");
  vi.advanceTimersByTime(30_000);
  await limiter.take("a");
  await limiter.take("c");
  expect(await limiter.take("a")).toBe(60);
});

test("the maximum number of keys also limits the number of timers", async () => {
  const limiter = new Limiter({ points: 1, perS: 60 }, 1000);
  await Promise.all(Array.from({ length: 20_000 }, (_, key) => limiter.take(String(key))));
  expect(limiter.size).toBe(1000);
  expect(vi.getTimerCount()).toBe(1000);
});
