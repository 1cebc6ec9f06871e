import { type OperationId, operations } from "@remote-browser/contract/operations";

/** Where a request came in. */
export type Place = {
  /** The base URL's own part, such as `silent~a1`; undefined: none with a fault. */
  readonly key: string | undefined;
  readonly fault: string;
  /** What stands behind the base URL. */
  readonly rest: string;
};

const WITH_FAULT = /^\/(?:~|%7e)([\w-]+)(?:~|%7e)([A-Za-z0-9]+)(\/.*|$)/i;

/** @param target A request's path and query. */
export function readPlace(target: string): Place {
  const [, fault, nonce, rest] = WITH_FAULT.exec(target) ?? [];
  if (fault === undefined || nonce === undefined) return { key: undefined, fault: "pass", rest: target };
  return { key: `${fault}~${nonce}`, fault, rest: rest === undefined || rest === "" ? "/" : rest };
}

/** @param path Without a base URL's own part. */
export function findOperation(method: string, path: string): OperationId | undefined {
  const found = Object.entries(operations).find(
    ([, operation]) => operation.method === method.toLowerCase() && operation.path === path.split("?")[0],
  );
  return found?.[0] as OperationId | undefined;
}
