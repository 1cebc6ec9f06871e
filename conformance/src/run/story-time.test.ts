import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { StoryTime } from "./story-time.ts";

const NEVER_MINDED = { pause: () => {}, waitInVain: () => {}, isInVain: () => false };

test("what a story waits is not held against it, at the same time only once", async () => {
  const time = new StoryTime({ ...NEVER_MINDED, turn: () => sleep(200) });
  await Promise.all([time.turn(""), time.turn(""), time.sleep(200)]);
  expect(time.workedMs).toBeLessThan(100);
  await sleep(150);
  expect(time.workedMs).toBeGreaterThanOrEqual(145);
});

test("a story whose time has ended gets no further, wherever it waits", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const time = new StoryTime({ ...NEVER_MINDED, turn: () => promise });
  const waits = [time.sleep(60_000), time.turn("")];
  time.end(new Error("Late."));
  resolve();
  for (const wait of [...waits, time.turn(""), time.sleep(1)]) await expect(wait).rejects.toThrow("Late.");
});
