import { StoreUnavailable } from "../../../../ports/store/store.ts";

// https://www.postgresql.org/docs/current/errcodes-appendix.html
/**
 * Classes of temporary errors: lost connections (08), insufficient disk space, memory or connections (53), operator
 * intervention (57), system errors (58), and internal errors (XX), such as a file that can't be written.
 */
const PASSING_CLASSES = new Set(["08", "53", "57", "58", "XX"]);

/** Serialization failure, deadlock, lock not available, read-only server, and idle transaction timeout. */
const PASSING_CODES = new Set(["40001", "40P01", "55P03", "25006", "25P03"]);

/** The database doesn't accept connections at the moment. */
const NOT_ACCEPTING = "55000";

/** The server closed or lost the connection. */
const LOST_CODES = new Set(["57P01", "57P02", "57P03", "57P05", "25P03"]);

/** Turns a temporary failure of a query into `StoreUnavailable`. Returns other errors unchanged. */
export function toStoreError(error: unknown): unknown {
  const code = toCode(error);
  if (!(error instanceof Error) || (isState(code) && !isPassing(code))) return error;
  const isOutcomeUnknown = !isState(code) || code.startsWith("08") || LOST_CODES.has(code);
  return new StoreUnavailable(error.message, { isOutcomeUnknown, cause: error });
}

/** Like `toStoreError`, for a failed connection: no query was sent, so the outcome is known. */
export function toConnectError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const code = toCode(error);
  // A wrong password or user name isn't a temporary failure.
  if (isState(code) && !isPassing(code) && code !== NOT_ACCEPTING) return error;
  return new StoreUnavailable(error.message, { cause: error });
}

function isPassing(code: string): boolean {
  return PASSING_CODES.has(code) || PASSING_CLASSES.has(code.slice(0, 2));
}

/** Whether a code is an SQLSTATE from a server. Network errors have other codes or no code. */
function isState(code: string): boolean {
  return /^[0-9A-Z]{5}$/.test(code) && /\d/.test(code);
}

function toCode(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === "string" ? code : "";
}
