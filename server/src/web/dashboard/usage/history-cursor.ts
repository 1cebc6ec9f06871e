import type { EndedCursor } from "../../../services/accounts/usage-reports.ts";

const WRITTEN = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) ([\w-]{1,100})$/;

/** Where a history goes on, as it stands in an address. It names a place in the reader's own history, and opens nobody else's. */
export function writeCursor({ closedAt, id }: EndedCursor): string {
  return Buffer.from(`${closedAt.toISOString()} ${id}`).toString("base64url");
}

/** @returns Undefined when it is none of ours. */
export function readCursor(text: string): EndedCursor | undefined {
  const [, at = "", id = ""] = WRITTEN.exec(Buffer.from(text, "base64url").toString()) ?? [];
  const closedAt = new Date(at);
  if (Number.isNaN(closedAt.getTime()) || writeCursor({ closedAt, id }) !== text) return undefined;
  return { closedAt, id };
}
