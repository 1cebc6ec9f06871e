import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { ScenarioClock } from "./scenario-clock.ts";

const UNLIMITED = { pause: () => {}, hopeless: new Set<string>() };

test("time spent waiting does not count, and concurrent waits count once", async () => {
  const time = new ScenarioClock({ ...UNLIMITED, waitForTurn: () => sleep(200) });
  await Promise.all([time.waitForTurn(""), time.waitForTurn(""), time.sleep(200)]);
  expect(time.workedMs).toBeLessThan(100);
  await sleep(150);
  expect(time.workedMs).toBeGreaterThanOrEqual(145);
});

test("after a scenario ends, all its waits reject", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const time = new ScenarioClock({ ...UNLIMITED, waitForTurn: () => promise });
  const waits = [time.sleep(60_000), time.waitForTurn("")];
  time.end(new Error("Late."));
  resolve();
  for (const wait of [...waits, time.waitForTurn(""), time.sleep(1)]) await expect(wait).rejects.toThrow("Late.");
});
