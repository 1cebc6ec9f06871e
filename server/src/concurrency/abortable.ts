import type { Clock } from "../ports/clock.ts";

/**
 * Waits for a promise until a signal is aborted. The work behind the promise continues.
 * @throws {unknown} What `promise` rejects with; `signal.reason` if the signal is aborted before.
 */
export async function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason);
  signal.addEventListener("abort", onAbort);
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

type TimeLimit = {
  readonly timeoutMs: number;
  readonly clock: Pick<Clock, "after">;
  /** The error when the time is over. */
  readonly toError: () => Error;
  /** Ends the work early. */
  readonly signal?: AbortSignal;
};

/**
 * Gives work a limited time, and waits until it has ended.
 * @param work Has to end when its signal is aborted, and to reject with the signal's reason then: with `toError` at the
 * end of
 *   the time, or with `signal.reason`.
 * @throws {unknown} What `work` rejects with.
 */
export async function withTimeout<T>(
  { timeoutMs, clock, toError, signal }: TimeLimit,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  const either = signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]);
  either.throwIfAborted();
  const cancel = clock.after(timeoutMs, () => late.abort(toError()));
  try {
    return await work(either);
  } finally {
    cancel();
  }
}

/**
 * Waits for a promise until a time is over. The work behind the promise continues.
 * @throws {unknown} What `promise` rejects with within that time.
 */
export async function waitUpTo(delayMs: number, clock: Pick<Clock, "after">, promise: Promise<unknown>): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const cancel = clock.after(delayMs, resolve);
  try {
    await Promise.race([promise, late]);
  } finally {
    cancel();
  }
}

/** Resolves after a time, or as soon as `signal` is aborted. */
export async function sleep(delayMs: number, clock: Pick<Clock, "after">, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (signal.aborted) return;
  const cancel = clock.after(delayMs, resolve);
  const onAbort = (): void => resolve();
  signal.addEventListener("abort", onAbort);
  await promise;
  cancel();
  signal.removeEventListener("abort", onAbort);
}
