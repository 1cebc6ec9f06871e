import { OPERATIONS } from "./generated/operations.ts";
import type { components } from "./generated/types.ts";
import { readMembers } from "./read-members.ts";

type WireAccount = components["schemas"]["AccountInfo"];

/** The account that the token belongs to, its plan, and what it has used. */
export type AccountInfo = Readonly<WireAccount>;

export function toAccountInfo(wire: WireAccount): AccountInfo {
  return readMembers(OPERATIONS.getAccount.answer, wire) as AccountInfo;
}
