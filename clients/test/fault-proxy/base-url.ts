import { type OperationId, operations } from "@remote-browser/contract/operations";

/** A request's base URL and path. */
type Place = {
  /** The fault in the base URL, such as `silent~a1`. Undefined for a base URL without a fault. */
  readonly key: string | undefined;
  readonly fault: string;
  /** The path below the base URL. */
  readonly rest: string;
};

const WITH_FAULT = /^\/(?:~|%7e)([\w-]+)(?:~|%7e)([A-Za-z0-9]+)(\/.*|$)/i;

/** @param target The request's path and query. */
export function readPlace(target: string): Place {
  const [, fault, nonce, rest] = WITH_FAULT.exec(target) ?? [];
  if (fault === undefined || nonce === undefined) return { key: undefined, fault: "pass", rest: target };
  return { key: `${fault}~${nonce}`, fault, rest: rest === undefined || rest === "" ? "/" : rest };
}

/** @param path The request's path without the part that names the fault. */
export function findOperation(method: string, path: string): OperationId | undefined {
  const found = Object.entries(operations).find(
    ([, operation]) => operation.method === method.toLowerCase() && operation.path === path.split("?")[0],
  );
  return found?.[0] as OperationId | undefined;
}
