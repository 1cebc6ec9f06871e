import type { Socket } from "node:net";
import { sleep, withTimeout } from "../../concurrency/abortable.ts";
import type { Clock } from "../../ports/clock.ts";
import { type Connect, probe } from "./page/devtools.ts";

/** How a browser is probed. Times in milliseconds. */
export type WatchdogLimits = {
  /** From one answer to the next probe. */
  readonly intervalMs: number;
  /** From a probe until the browser's work is first read, if it hasn't answered by then. */
  readonly patienceMs: number;
  /**
   * From a probe until its work is read again, and from then on between readings. Without work in between, it hangs.
   */
  readonly timeoutMs: number;
  /** From a probe without an answer until the browser hangs, whatever it works on. */
  readonly longestMs: number;
  /** Processor time of a browser that only waits, between two readings. */
  readonly idleMs: number;
};

export const WATCHDOG_LIMITS: WatchdogLimits = {
  intervalMs: 10_000,
  patienceMs: 1000,
  timeoutMs: 20_000,
  longestMs: 600_000,
  idleMs: 100,
};

/** What a browser has done since its start. */
export type Work = {
  /** The processor time that its main process has used. */
  readonly processorMs: number;
  /** Grows when something moves over its DevTools connections. */
  readonly moves: number;
};

/** Counts what moves over a browser's connections. */
export class Moves {
  readonly #open = new Set<Socket>();
  #count = 0;

  add(socket: Socket): void {
    this.#open.add(socket);
    // Bytes that wait were taken. Others prove nothing: the kernel takes the first ones even for a browser that is
    // stopped.
    socket.on("drain", () => (this.#count += 1));
    socket.once("close", () => {
      this.#open.delete(socket);
      this.#count += socket.bytesRead;
    });
  }

  /** Grows with each byte that the browser sends, and whenever it takes bytes that had to wait. */
  get count(): number {
    return [...this.#open].reduce((sum, { bytesRead }) => sum + bytesRead, this.#count);
  }
}

/** What the watchdog needs of a browser. */
export type Watched = {
  readonly connect: Connect;
  /** Called only while a probe has no answer. Never rejects. */
  readWork(): Promise<Work>;
};

/** Wait after a probe that failed early: a refused connection need not be the browser's fault. */
const RETRY_MS = 1000;

/**
 * Probes a browser at intervals. One that doesn't answer may be busy: a command of 25 MB takes it a minute.
 * @param onHung Called once, when the browser neither answers nor works, or hasn't answered for too long.
 * @returns Stops probing.
 */
export function watch(browser: Watched, clock: Clock, limits: WatchdogLimits, onHung: () => void): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  const probeRepeatedly = async (): Promise<void> => {
    do {
      await sleep(limits.intervalMs, clock, signal);
    } while (!signal.aborted && (await answers(browser, clock, limits, signal)));
    if (!signal.aborted) onHung();
  };
  void probeRepeatedly();
  return () => stop.abort();
}

/** Whether a browser answers before it hangs. */
async function answers(browser: Watched, clock: Clock, limits: WatchdogLimits, stop: AbortSignal): Promise<boolean> {
  const over = new AbortController();
  const toError = (): Error => new Error(`The browser did not answer in ${limits.longestMs} ms.`);
  const limit = { timeoutMs: limits.longestMs, clock, toError, signal: AbortSignal.any([stop, over.signal]) };
  try {
    return await withTimeout(limit, async (signal) => {
      void whenIdle(browser, clock, limits, signal).then(() => over.abort());
      while (!(await answersOnce(browser.connect, signal))) await sleep(RETRY_MS, clock, signal);
      return true;
    });
  } catch {
    return false;
  } finally {
    over.abort();
  }
}

/** Resolves when a browser has done nothing between two readings, or the signal is aborted. */
async function whenIdle(browser: Watched, clock: Clock, limits: WatchdogLimits, signal: AbortSignal): Promise<void> {
  await sleep(limits.patienceMs, clock, signal);
  let waitMs = limits.timeoutMs - limits.patienceMs;
  for (let last: Work | undefined; !signal.aborted; waitMs = limits.timeoutMs) {
    const work = await browser.readWork();
    const isWorking =
      last === undefined || work.moves > last.moves || work.processorMs - last.processorMs >= limits.idleMs;
    if (!isWorking) return;
    last = work;
    await sleep(waitMs, clock, signal);
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
