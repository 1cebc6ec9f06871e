import { orAborted, withTimeout } from "../concurrency/abortable.ts";
import type { Clock } from "../ports/clock.ts";
import { StoreUnavailable } from "../ports/store.ts";

/** How long a request waits for the store. A database that hangs keeps its connections, and gives no answer for minutes. */
export const STORE_WAIT_MS = 1500;

/**
 * Waits for the store on behalf of a request.
 * @param work Begins nothing more when its signal is aborted. What it has begun continues.
 * @throws {StoreUnavailable} With an unknown outcome, when the time is over.
 */
export function waitForStore<T>(clock: Pick<Clock, "after">, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const toError = (): Error =>
    new StoreUnavailable(`The store didn't answer within ${STORE_WAIT_MS} ms.`, { isOutcomeUnknown: true });
  return withTimeout({ timeoutMs: STORE_WAIT_MS, clock, toError }, (signal) => orAborted(work(signal), signal));
}
