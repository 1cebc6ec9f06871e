import { expect, test } from "vitest";
import { Semaphore } from "./semaphore.ts";

test("a request for more slots than exist acquires all slots", async () => {
  const slots = new Semaphore(2);
  const all = await slots.acquire(5);
  let isGranted = false;
  const next = slots.acquire(1).then((place) => {
    isGranted = true;
    return place;
  });
  await Promise.resolve();
  expect(isGranted).toBe(false);
  all[Symbol.dispose]();
  using one = await next;
  using _ = await slots.acquire(1);
  expect(one).toBeDefined();
});
