import { expect, test } from "vitest";
import { Mutex } from "./mutex.ts";

test("tasks run one at a time, even after a failed task", async () => {
  const mutex = new Mutex();
  const first = Promise.withResolvers<void>();
  const events: string[] = [];
  const failing = mutex.run(async () => {
    events.push("first starts");
    await first.promise;
    throw new Error("broken");
  });
  const next = mutex.run(async () => {
    events.push("second starts");
    return 2;
  });
  await new Promise(setImmediate);
  expect(events).toEqual(["first starts"]);
  first.resolve();
  await expect(failing).rejects.toThrow("broken");
  expect(await next).toBe(2);
  expect(events).toEqual(["first starts", "second starts"]);
});
