import { AsyncLocalStorage } from "node:async_hooks";
import { withTimeout } from "../../concurrency/abortable.ts";
import type { Clock } from "../../ports/clock.ts";
import { StoreUnavailable } from "../../ports/store/store.ts";

/** How long a request waits for the store, in ms. A hanging database keeps its connections silent for minutes. */
export const STORE_WAIT_MS = 2000;
/** When the store must give up, in ms. A working database confirms in the remaining time that nothing has changed. */
const GIVE_UP_MS = 1500;

const SILENT = `The store gave no answer within ${STORE_WAIT_MS} ms.`;
const UNKNOWN = { isOutcomeUnknown: true };

type Waiting = { signal: AbortSignal | undefined };

const current = new AsyncLocalStorage<Waiting>();

/**
 * Waits for the store on behalf of a request.
 * @param work Begins no further calls when its signal is aborted. The store ends calls in progress.
 * @throws {StoreUnavailable} After a timeout, with an unknown outcome if the store doesn't respond.
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
      // The work may have started longer activities, such as a timer. This request's timeout must not limit them.
      waiting.signal = undefined;
    }
  });
}

/** Returns a signal that is aborted when the current request gives up. Undefined outside of `waitForStore`. */
export function readStoreSignal(): AbortSignal | undefined {
  return current.getStore()?.signal;
}
