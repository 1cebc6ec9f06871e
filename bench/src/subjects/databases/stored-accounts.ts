import { randomBytes } from "node:crypto";
import { toTimeOrderedId } from "../../../../server/src/domain/time-ordered-id.ts";
import type { Store } from "../../../../server/test/interface.ts";

/** Creates accounts in a store. @returns Their ids. */
export async function createAccounts(store: Store, count: number): Promise<readonly string[]> {
  const ids = Array.from({ length: count }, () => toTimeOrderedId(new Date(), randomBytes(16)));
  const none = { plan: undefined, parallel: undefined, units: undefined, hasAdditionalUnits: false };
  const flags = { isDisabled: false, isOperator: false, version: 0 };
  await Promise.all(
    ids.map((id) =>
      store.accounts.create({ id, email: `${id}@example.com`, ...none, ...flags, createdAt: new Date() }, {}),
    ),
  );
  return ids;
}
