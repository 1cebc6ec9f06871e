import { sleep, withTimeout } from "../../concurrency/abortable.ts";
import type { Clock } from "../../ports/clock.ts";
import { type Connect, probe } from "./devtools.ts";

/** How a browser is probed. Times in milliseconds. */
export type WatchdogLimits = {
  /** From one answer to the next probe. */
  readonly intervalMs: number;
  /** Time allowed for an answer. */
  readonly timeoutMs: number;
};

export const WATCHDOG_LIMITS: WatchdogLimits = { intervalMs: 10_000, timeoutMs: 20_000 };

/** Wait after a probe that failed early: a refused connection need not be the browser's fault. */
const RETRY_MS = 1000;

/**
 * Probes a browser at intervals.
 * @param onHung Called once, when the browser doesn't answer in time.
 * @returns Stops probing.
 */
export function watch(connect: Connect, clock: Clock, limits: WatchdogLimits, onHung: () => void): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  const probeRepeatedly = async (): Promise<void> => {
    do {
      await sleep(limits.intervalMs, clock, signal);
    } while (!signal.aborted && (await answers(connect, clock, limits.timeoutMs, signal)));
    if (!signal.aborted) onHung();
  };
  void probeRepeatedly();
  return () => stop.abort();
}

async function answers(connect: Connect, clock: Clock, timeoutMs: number, stop: AbortSignal): Promise<boolean> {
  const toError = (): Error => new Error(`The browser did not answer in ${timeoutMs} ms.`);
  try {
    await withTimeout({ timeoutMs, clock, toError, signal: stop }, async (signal) => {
      while (!(await answersOnce(connect, signal))) await sleep(RETRY_MS, clock, signal);
    });
    return true;
  } catch {
    return false;
  }
}

async function answersOnce(connect: Connect, signal: AbortSignal): Promise<boolean> {
  signal.throwIfAborted();
  try {
    await probe(connect, signal);
    return true;
  } catch {
    return false;
  }
}
