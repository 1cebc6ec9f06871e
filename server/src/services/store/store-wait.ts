import { AsyncLocalStorage } from "node:async_hooks";
import { withTimeout } from "../../concurrency/abortable.ts";
import type { Clock } from "../../ports/clock.ts";
import { StoreUnavailable } from "../../ports/store/store.ts";

/** Maximum time a request waits for the store, in ms. If a database hangs, connections remain silent for minutes. */
export const STORE_WAIT_MS = 2000;
/** The store's timeout, in ms: short enough for a working database to confirm in time that nothing has changed. */
const GIVE_UP_MS = 1500;

const SILENT = `The store didn't respond within ${STORE_WAIT_MS} ms.`;
const UNKNOWN = { isOutcomeUnknown: true };

type Waiting = { signal: AbortSignal | undefined };

const current = new AsyncLocalStorage<Waiting>();

/**
 * Waits for the store on behalf of a request.
 * @param work Must not start calls after its signal is aborted. The store itself ends calls that are in progress.
 * @throws {StoreUnavailable} After a timeout, with an unknown outcome if the store doesn't respond.
 */
export function waitForStore<T>(clock: Pick<Clock, "after">, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const toError = (): Error => new StoreUnavailable(`The store didn't finish within ${GIVE_UP_MS} ms.`);
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
      // The work may have started something longer, such as a timer, which this request's timeout must not limit.
      waiting.signal = undefined;
    }
  });
}

/** Returns a signal that is aborted when the current request gives up. Returns undefined outside `waitForStore`. */
export function readStoreSignal(): AbortSignal | undefined {
  return current.getStore()?.signal;
}
