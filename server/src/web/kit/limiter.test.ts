import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { newLimiter } from "./limiter.ts";

beforeEach(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] }));
afterEach(() => vi.useRealTimers());

test("a key has so many points in its time, and then the seconds until there are some again", async () => {
  const limiter = newLimiter({ points: 2, perS: 60 }, 10);
  expect(await limiter.take("a")).toBeUndefined();
  vi.advanceTimersByTime(20_500);
  expect(await limiter.take("a")).toBeUndefined();
  expect(await limiter.take("a")).toBe(40);
  expect(await limiter.take("b")).toBeUndefined();
  vi.advanceTimersByTime(39_500);
  expect(await limiter.take("a")).toBeUndefined();
});

test("being refused does not make the time longer, nor the points given back count for less", async () => {
  const limiter = newLimiter({ points: 2, perS: 60 }, 10);
  await limiter.take("a");
  await limiter.take("a");
  for (let refused = 0; refused < 5; refused += 1) expect(await limiter.take("a")).toBe(60);
  await limiter.giveBack("a");
  expect(await limiter.take("a")).toBeUndefined();
  expect(await limiter.take("a")).toBe(60);
});

test("a point that comes back after its time is no point more", async () => {
  const limiter = newLimiter({ points: 1, perS: 60 }, 10);
  await limiter.take("a");
  vi.advanceTimersByTime(60_000);
  await limiter.giveBack("a");
  expect(await limiter.take("a")).toBeUndefined();
  expect(await limiter.take("a")).toBe(60);
});

test("beyond the bound the key whose time began first is forgotten, and nobody is refused for it", async () => {
  const limiter = newLimiter({ points: 1, perS: 60 }, 3);
  for (const key of ["a", "b", "c", "d"]) expect(await limiter.take(key)).toBeUndefined();
  expect(limiter.size()).toBe(3);
  for (const key of ["b", "c", "d"]) expect(await limiter.take(key)).toBe(60);
  expect(await limiter.take("a")).toBeUndefined();
  expect(await limiter.take("b")).toBeUndefined();
});

test("a key that begins again is the youngest", async () => {
  const limiter = newLimiter({ points: 1, perS: 60 }, 2);
  await limiter.take("a");
  vi.advanceTimersByTime(30_000);
  await limiter.take("b");
  vi.advanceTimersByTime(30_000);
  await limiter.take("a");
  await limiter.take("c");
  expect(await limiter.take("a")).toBe(60);
});

test("twenty thousand keys are as few as the bound says, timers included", async () => {
  const limiter = newLimiter({ points: 1, perS: 60 }, 1000);
  await Promise.all(Array.from({ length: 20_000 }, (_, key) => limiter.take(String(key))));
  expect(limiter.size()).toBe(1000);
  expect(vi.getTimerCount()).toBe(1000);
});
