import type { OperationId } from "@remote-browser/contract/operations";
import type { Account } from "../session/account.ts";
import type { Exchange } from "../target/exchange.ts";

/** Operations on the browser that a request names. */
export const REFERRING = [
  ...(["closeBrowser", "startRemoteDesktop", "stopRemoteDesktop"] as const),
  ...(["getBrowserInfo", "waitForBrowser", "updateBrowser", "takeScreenshot"] as const),
] satisfies OperationId[];

/** Calls an operation on one browser. Only Update reads `keepOpen`, because Update requires a new value. */
export function callOn(account: Account, operation: OperationId, browser: object): Promise<Exchange> {
  return account.call(operation, { ...browser, keepOpen: 30 });
}

/** Checks all pairs of operations and values concurrently. */
export async function forEachOf<Operation extends OperationId, Value>(
  operations: readonly Operation[],
  values: readonly Value[],
  check: (operation: Operation, value: Value) => Promise<void>,
): Promise<void> {
  await Promise.all(operations.flatMap((operation) => values.map((value) => check(operation, value))));
}
