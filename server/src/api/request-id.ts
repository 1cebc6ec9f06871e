import { AsyncLocalStorage } from "node:async_hooks";

const current = new AsyncLocalStorage<string>();

/** Runs the work of a request. What it calls, and what that continues later, can read the request's id. */
export function withRequestId<T>(requestId: string, work: () => T): T {
  return current.run(requestId, work);
}

/** The id of the request that is being served; undefined outside of one. */
export function readRequestId(): string | undefined {
  return current.getStore();
}
