import type { Socket } from "node:net";
import { sleep, withTimeout } from "../../concurrency/abortable.ts";
import type { Clock } from "../../ports/clock.ts";
import { probe } from "./probe.ts";

/** How a browser's pulse is taken. Times in milliseconds. */
export type WatchdogLimits = {
  /** From one answer to the next question. */
  readonly intervalMs: number;
  /** Time allowed for an answer. */
  readonly timeoutMs: number;
};

export const WATCHDOG_LIMITS: WatchdogLimits = { intervalMs: 10_000, timeoutMs: 20_000 };

/** A refused connection need not be the browser's fault, so it is asked again until its time is over. */
const RETRY_MS = 1000;

type Connect = (signal: AbortSignal) => Promise<Socket>;

/**
 * Asks a browser again and again whether it still answers.
 * @param onHung Called once, when an answer does not come.
 * @returns Stops asking.
 */
export function watch(connect: Connect, clock: Clock, limits: WatchdogLimits, onHung: () => void): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  const ask = async (): Promise<void> => {
    do {
      await sleep(limits.intervalMs, clock, signal);
    } while (!signal.aborted && (await answers(connect, clock, limits.timeoutMs, signal)));
    if (!signal.aborted) onHung();
  };
  void ask();
  return () => stop.abort();
}

/** Whether it answers in time. */
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
