import type { Socket } from "node:net";
import { sleep, withTimeout } from "../../concurrency/abortable.ts";
import type { Clock } from "../../ports/clock.ts";
import { type Connect, probe } from "./page/devtools.ts";

/** Time limits for probing a browser, in ms. */
export type WatchdogLimits = {
  /** Time from a response to the next probe. */
  readonly intervalMs: number;
  /** Time between an unanswered probe and the first reading of the browser's work. */
  readonly patienceMs: number;
  /** Interval from a probe to the second reading, and between later readings. A browser that stays idle is hung. */
  readonly timeoutMs: number;
  /** Time from a probe until a browser that hasn't responded counts as hung, even if it is working. */
  readonly longestMs: number;
  /** A browser that uses less processor time than this between two readings is idle. */
  readonly idleMs: number;
};

export const WATCHDOG_LIMITS: WatchdogLimits = {
  intervalMs: 10_000,
  patienceMs: 1000,
  timeoutMs: 20_000,
  longestMs: 600_000,
  idleMs: 100,
};

/** The work that a browser has done since its start. */
export type Work = {
  /** Processor time of the browser's main process. */
  readonly processorMs: number;
  /** Increases with traffic on the browser's DevTools connections. */
  readonly moves: number;
};

/** Counts the traffic of a browser's connections. */
export class Moves {
  readonly #open = new Set<Socket>();
  #count = 0;

  add(socket: Socket): void {
    this.#open.add(socket);
    // The browser has read buffered bytes. Writes alone prove nothing: the kernel accepts them even for a stopped
    // browser.
    socket.on("drain", () => (this.#count += 1));
    socket.once("close", () => {
      this.#open.delete(socket);
      this.#count += socket.bytesRead;
    });
  }

  /** Increases with each byte that the browser sends, and whenever the browser reads buffered bytes. */
  get count(): number {
    return [...this.#open].reduce((sum, { bytesRead }) => sum + bytesRead, this.#count);
  }
}

export type Watched = {
  readonly connect: Connect;
  /** Called only while a probe is waiting. Never rejects. */
  readWork(): Promise<Work>;
};

/** Pause between a failed probe and the next, because a refused connection may not be the browser's fault. */
const RETRY_MS = 1000;

/**
 * Probes a browser at intervals. A browser that doesn't respond may be busy: a command of 25 MB takes a minute.
 * @param onHung Called once, when the browser neither responds nor does any work, or hasn't responded for too long.
 * @returns A function that stops probing.
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

/** Whether a browser responds before it counts as hung. */
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

/** Resolves when a browser has been idle between two readings, or when the signal is aborted. */
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
