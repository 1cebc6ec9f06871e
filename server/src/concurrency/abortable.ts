import type { Clock } from "../ports/clock.ts";

/**
 * Waits for a promise until a signal is aborted. Aborting doesn't stop the work behind the promise.
 * @throws {unknown} The promise's rejection, or `signal.reason` if the signal is aborted first.
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
  /** Creates the error for a timeout. */
  readonly toError: () => Error;
  /** Aborts the work early. */
  readonly signal?: AbortSignal;
};

/**
 * Runs work with a time limit, and waits until the work has ended.
 * @param work Must stop when its signal is aborted, and reject with the signal's reason: the result of `toError` after
 *   a timeout, or `signal.reason`.
 * @throws {unknown} The rejection of `work`.
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
 * Waits for a promise for at most `delayMs`. A timeout doesn't stop the work behind the promise.
 * @throws {unknown} The rejection reason, if the promise rejects within `delayMs`.
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

/** Resolves after `delayMs`, or as soon as `signal` is aborted. */
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
