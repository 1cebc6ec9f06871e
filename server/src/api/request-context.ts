import { AsyncLocalStorage } from "node:async_hooks";

/** The request that is being served. */
type RequestContext = {
  readonly requestId: string;
  /** Undefined until the account is known. */
  account: string | undefined;
};

const current = new AsyncLocalStorage<RequestContext>();

/** Processes a request. All functions that `work` calls, even asynchronously, can read the request's id and account. */
export function withRequest<T>(requestId: string, work: () => T): T {
  return current.run({ requestId, account: undefined }, work);
}

/** Records the account of the request that is being served. */
export function setRequestAccount(id: string): void {
  const request = current.getStore();
  if (request !== undefined) request.account = id;
}

/** Returns the request that is being served; undefined outside requests. */
export function readRequest(): Readonly<RequestContext> | undefined {
  return current.getStore();
}
