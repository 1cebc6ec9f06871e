import { AsyncLocalStorage } from "node:async_hooks";

/** The request that is being served. */
type RequestContext = {
  readonly requestId: string;
  /** Undefined until it is known. */
  account: string | undefined;
};

const current = new AsyncLocalStorage<RequestContext>();

/** Runs the work of a request. What it calls, and what that continues later, can read the request's id and account. */
export function withRequest<T>(requestId: string, work: () => T): T {
  return current.run({ requestId, account: undefined }, work);
}

/** Remembers the account of the request that is being served. */
export function setRequestAccount(id: string): void {
  const request = current.getStore();
  if (request !== undefined) request.account = id;
}

/** The request that is being served; undefined outside of one. */
export function readRequest(): Readonly<RequestContext> | undefined {
  return current.getStore();
}
