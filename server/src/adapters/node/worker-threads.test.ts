import { expect, test, vi } from "vitest";
import { ThreadOverrun } from "../../ports/threads.ts";
import { systemClock } from "./system-clock.ts";
import { WorkerThreads } from "./worker-threads.ts";
import { variant } from "../../../test/support/variants.ts";

const SCRIPT = new URL("../../../test/support/machine/thread-script.ts", import.meta.url);
const NEVER = new AbortController().signal;

const newThreads = (atOnce = 1) => new WorkerThreads({ atOnce, clock: systemClock });
const run = (threads: WorkerThreads, task: string, limitMs = 10_000, signal = NEVER) =>
  threads.run(SCRIPT, { task }, limitMs, { signal, account: "a1" });

test("a script returns its result and can't read the server's settings", async () => {
  vi.stubEnv("ANTHROPIC_API_KEY", "secret");
  const threads = newThreads();
  expect(await run(threads, "answer")).toEqual({ settings: [] });
  expect(threads.held).toBe(0);
  vi.unstubAllEnvs();
});

test("a script that runs forever is terminated at its time limit and doesn't block the event loop", async () => {
  const threads = newThreads();
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 10);
  await expect(run(threads, "run", 300)).rejects.toBeInstanceOf(ThreadOverrun);
  clearInterval(timer);
  expect(turns).toBeGreaterThan(5);
  expect(threads.held).toBe(0);
});

test("only processor time counts towards a script's time limit", async () => {
  const threads = newThreads();
  expect(await run(threads, "rest", 1000)).toEqual({ settings: [] });
  expect(threads.held).toBe(0);
});

variant("a script that runs out of memory is terminated without affecting other scripts", async () => {
  const threads = newThreads();
  await expect(run(threads, "fill", 60_000)).rejects.toBeInstanceOf(ThreadOverrun);
  expect(threads.held).toBe(0);
  expect(await run(threads, "answer")).toEqual({ settings: [] });
});

test("a script that throws or posts no message causes an error", async () => {
  const threads = newThreads();
  await expect(run(threads, "fail")).rejects.toThrow("It fails.");
  await expect(run(threads, "silence")).rejects.toThrow("posted no message");
  expect(threads.held).toBe(0);
});

test("an aborted script is terminated, or never starts", async () => {
  const threads = newThreads();
  const callers = [new AbortController(), new AbortController()] as const;
  const running = run(threads, "run", 60_000, callers[0].signal);
  const waiting = run(threads, "run", 60_000, callers[1].signal);
  expect(threads.held).toBe(2);
  for (const caller of callers) caller.abort(new Error("gone"));
  await expect(running).rejects.toThrow("gone");
  await expect(waiting).rejects.toThrow("gone");
  expect(threads.held).toBe(0);
});

test("an aborted script stops waiting immediately, even if an earlier script is still running", async () => {
  const threads = newThreads();
  const callers = [new AbortController(), new AbortController()] as const;
  const running = run(threads, "run", 60_000, callers[0].signal);
  const waiting = run(threads, "run", 60_000, callers[1].signal);
  callers[1].abort(new Error("gone"));
  await expect(waiting).rejects.toThrow("gone");
  expect(threads.held).toBe(1);
  callers[0].abort(new Error("gone"));
  await expect(running).rejects.toThrow("gone");
  expect(threads.held).toBe(0);
});

test("scripts above the limit wait for their turn", async () => {
  const threads = newThreads(2);
  const answers = await Promise.all(Array.from({ length: 5 }, () => run(threads, "answer")));
  expect(answers).toHaveLength(5);
  expect(threads.held).toBe(0);
});
