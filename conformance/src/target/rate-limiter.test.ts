import { expect, test } from "vitest";
import { SingleRateLimiter, AccountRateLimiter } from "./rate-limiter.ts";

test("requests do not exceed the rate", async () => {
  const limiter = new SingleRateLimiter(50);
  const startedAt = Date.now();
  for (let turns = 0; turns < 5; turns += 1) await limiter.waitForTurn();
  expect(Date.now() - startedAt).toBeGreaterThanOrEqual(4 * 20 - 4);
});

test("a pause delays waiting requests and lowers the rate", async () => {
  const limiter = new SingleRateLimiter(50);
  const startedAt = Date.now();
  const passedAt: number[] = [];
  const turns = Array.from({ length: 3 }, () =>
    limiter.waitForTurn().then(() => passedAt.push(Date.now() - startedAt)),
  );
  await turns[0];
  limiter.pause(150);
  await Promise.all(turns);
  const [first = 0, second = 0, third = 0] = passedAt;
  expect(first).toBeLessThan(100);
  expect(second).toBeGreaterThanOrEqual(145);
  expect(third - second).toBeGreaterThanOrEqual(90);
});

test("stopping rejects all waiting requests", async () => {
  const limiter = new SingleRateLimiter(undefined);
  limiter.pause(60_000);
  const turns = [limiter.waitForTurn(), limiter.waitForTurn()];
  limiter.stop(new Error("Stopped."));
  for (const turn of turns) await expect(turn).rejects.toThrow("Stopped.");
});

test("a pause delays only requests with the same credentials", async () => {
  const limiters = new AccountRateLimiter(undefined);
  const startedAt = Date.now();
  limiters.pause(150, "one");
  await limiters.waitForTurn("other");
  expect(Date.now() - startedAt).toBeLessThan(100);
  await limiters.waitForTurn("one");
  expect(Date.now() - startedAt).toBeGreaterThanOrEqual(145);
  expect(limiters.isSlowed).toBe(true);
});
