import { AsyncLocalStorage } from "node:async_hooks";
import { withTimeout } from "../../concurrency/abortable.ts";
import type { Clock } from "../../ports/clock.ts";
import { StoreUnavailable } from "../../ports/store/store.ts";

/**
 * How long a request waits for the store, in ms. A database that hangs keeps its connections, and gives no answer for
 * minutes.
 */
export const STORE_WAIT_MS = 2000;
/**
 * When the store has to give up, in ms: a database that works says in the rest of the time that it has changed nothing.
 */
const GIVE_UP_MS = 1500;

const SILENT = `The store gave no answer within ${STORE_WAIT_MS} ms.`;
const UNKNOWN = { isOutcomeUnknown: true };

type Waiting = { signal: AbortSignal | undefined };

const current = new AsyncLocalStorage<Waiting>();

/**
 * Waits for the store on behalf of a request.
 * @param work Begins nothing more when its signal is aborted. The store ends what it has begun.
 * @throws {StoreUnavailable} When the time is over; with an unknown outcome if the store says nothing.
 */
export function waitForStore<T>(clock: Pick<Clock, "after">, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const toError = (): Error => new StoreUnavailable(`The store hadn't done it after ${GIVE_UP_MS} ms.`);
  return withTimeout({ timeoutMs: GIVE_UP_MS, clock, toError }, async (signal) => {
    const waiting: Waiting = { signal };
    const { promise: silence, reject } = Promise.withResolvers<never>();
    let cancel: (() => void) | undefined;
    const onAbort = (): void => {
      cancel = clock.after(STORE_WAIT_MS - GIVE_UP_MS, () => reject(new StoreUnavailable(SILENT, UNKNOWN)));
    };
    signal.addEventListener("abort", onAbort);
    try {
      return await Promise.race([current.run(waiting, work, signal), silence]);
    } finally {
      cancel?.();
      signal.removeEventListener("abort", onAbort);
      // What the work started can go on, such as a timer. The time of this request doesn't limit that.
      waiting.signal = undefined;
    }
  });
}

/** Aborted when the request that the store works for gives up. Undefined: no request waits with `waitForStore`. */
export function readStoreSignal(): AbortSignal | undefined {
  return current.getStore()?.signal;
}
