import { OPERATIONS } from "./generated/operations.ts";
import type { components } from "./generated/types.ts";
import { readMembers } from "./read-members.ts";

type WireAccount = components["schemas"]["AccountInfo"];

/** The token's account, its plan, and this month's usage. */
export type AccountInfo = Readonly<WireAccount>;

export function toAccountInfo(wire: WireAccount): AccountInfo {
  return readMembers(OPERATIONS.getAccount.answer, wire) as AccountInfo;
}
