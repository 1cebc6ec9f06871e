import type { Socket } from "node:net";
import type { Clock } from "../../ports/clock.ts";

/** How a browser's pulse is taken. Times in milliseconds. */
export type WatchdogLimits = {
  /** From one answer to the next question. */
  readonly intervalMs: number;
  /** Time allowed for an answer. */
  readonly timeoutMs: number;
};

export const WATCHDOG_LIMITS: WatchdogLimits = { intervalMs: 10_000, timeoutMs: 20_000 };

// Chromium answers this on the thread that its DevTools commands run on, whatever its pages do.
const QUESTION = "GET /json/version HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n";

/**
 * Asks a browser again and again whether it still answers.
 * @param onHung Called once, when an answer does not come.
 * @returns Stops asking.
 */
export function watch(
  connect: (signal: AbortSignal) => Promise<Socket>,
  clock: Clock,
  { intervalMs, timeoutMs }: WatchdogLimits,
  onHung: () => void,
): () => void {
  const stop = new AbortController();
  let cancel = (): void => {};

  const ask = async (): Promise<void> => {
    const late = new AbortController();
    const cancelTimeout = clock.after(timeoutMs, () => late.abort());
    const signal = AbortSignal.any([stop.signal, late.signal]);
    const answers = await answersOnce(connect, signal);
    cancelTimeout();
    if (stop.signal.aborted) return;
    if (answers) cancel = clock.after(intervalMs, () => void ask());
    else onHung();
  };

  cancel = clock.after(intervalMs, () => void ask());
  return () => {
    stop.abort();
    cancel();
  };
}

async function answersOnce(connect: (signal: AbortSignal) => Promise<Socket>, signal: AbortSignal): Promise<boolean> {
  try {
    const socket = await connect(signal);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const leave = (): void => resolve(false);
    signal.addEventListener("abort", leave);
    socket.once("data", () => resolve(true));
    socket.once("error", leave);
    socket.once("close", leave);
    socket.end(QUESTION);
    const answers = await promise;
    signal.removeEventListener("abort", leave);
    socket.destroy();
    return answers;
  } catch {
    return false;
  }
}
