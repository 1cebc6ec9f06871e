import { expect, test } from "vitest";
import { FakeClock } from "../../../test/fakes/fake-clock.ts";
import { Capacity } from "./capacity.ts";

test("a freed slot is reported only if all slots were taken", () => {
  let reports = 0;
  const capacity = new Capacity(2, new FakeClock(), undefined, () => (reports += 1));
  const [first, second] = [capacity.take(), capacity.take()];
  first[Symbol.dispose]();
  first[Symbol.dispose]();
  second[Symbol.dispose]();
  expect(reports).toBe(1);
});

test("no slots are available while a disk is nearly full, and all of them return once space is freed", () => {
  let freeBytes = 256 * 2 ** 20;
  const capacity = new Capacity(1, new FakeClock(), () => freeBytes);
  const slot = capacity.take();
  slot[Symbol.dispose]();
  freeBytes -= 1;
  expect(() => capacity.take()).toThrow(expect.objectContaining({ failure: "BrowserUnavailable", retryAfterS: 60 }));
  expect(capacity.taken).toBe(0);
  freeBytes += 1;
  expect(capacity.take()).toBeDefined();
  expect(() => capacity.take()).toThrow("This machine is full");
});
