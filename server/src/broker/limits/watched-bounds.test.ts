import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { kill } from "node:process";
import { afterEach, expect, test, vi } from "vitest";
import { newWatchedBounds } from "./watched-bounds.ts";

const STARTED = 600;

afterEach(() => void vi.useRealTimers());

/** Returns the number of processes and threads on the machine: proc_loadavg(5). */
function countAll(): number {
  const [, all] = /\/(\d+)/.exec(readFileSync("/proc/loadavg", "latin1")) ?? [];
  return Number(all);
}

test("processes started right after a reading appear in the next one and count toward their sandbox", async () => {
  // Freeze time, so that only the number of processes causes a reading.
  vi.useFakeTimers({ toFake: ["performance"] });
  const maker = newWatchedBounds("/no/such/folder");
  const before = countAll();
  expect(maker.mayHaveTasks(before + STARTED / 2)).toBe(false);
  expect(maker.mayHaveTasks(1)).toBe(true);
  const script = `$| = 1; for (1 .. ${STARTED}) { fork() // die or sleep(100) } print "up"; sleep(100)`;
  const program = spawn("perl", ["-e", script], { detached: true, stdio: ["ignore", "pipe", "inherit"] });
  try {
    await once(program.stdout, "data");
    expect(maker.mayHaveTasks(before + STARTED / 2)).toBe(true);
    await using bounds = await maker.make("box", 2 ** 30);
    await bounds.add(program.pid ?? 0);
    expect(bounds.countTasks()).toBe(STARTED + 1);
  } finally {
    kill(-(program.pid ?? 0), "SIGKILL");
    await once(program, "close");
  }
});
