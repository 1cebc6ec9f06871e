import { StoreUnavailable } from "../../../../ports/store/store.ts";

// https://www.postgresql.org/docs/current/errcodes-appendix.html
/**
 * Classes of what can pass: lost connections (08), lack of disk space, memory or connections (53), an operator's action
 * (57) and a system's fault (58), and what PostgreSQL calls internal (XX), such as a file that it can't write for a new
 * connection.
 */
const PASSING_CLASSES = new Set(["08", "53", "57", "58", "XX"]);

/**
 * Conflicts between transactions, one of which was undone: serialization, deadlock, a server that only reads now, and a
 * transaction in which this process did nothing for too long.
 */
const PASSING_CODES = new Set(["40001", "40P01", "55P03", "25006", "25P03"]);

/** The database takes no connections at the moment. */
const NOT_ACCEPTING = "55000";

/** The server ended the connection, or lost it. */
const LOST_CODES = new Set(["57P01", "57P02", "57P03", "57P05", "25P03"]);

/** The failure of a query as the store's users know it; other errors as they are. */
export function toStoreError(error: unknown): unknown {
  const code = toCode(error);
  if (!(error instanceof Error) || (isState(code) && !isPassing(code))) return error;
  const isOutcomeUnknown = !isState(code) || code.startsWith("08") || LOST_CODES.has(code);
  return new StoreUnavailable(error.message, { isOutcomeUnknown, cause: error });
}

/** Why no connection could be made. Nothing was sent, so nothing has changed. */
export function toConnectError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const code = toCode(error);
  // A wrong password or name doesn't pass.
  if (isState(code) && !isPassing(code) && code !== NOT_ACCEPTING) return error;
  return new StoreUnavailable(error.message, { cause: error });
}

function isPassing(code: string): boolean {
  return PASSING_CODES.has(code) || PASSING_CLASSES.has(code.slice(0, 2));
}

/** An SQLSTATE, which comes from a server. Errors of the network have other codes, or none. */
function isState(code: string): boolean {
  return /^[0-9A-Z]{5}$/.test(code) && /\d/.test(code);
}

function toCode(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === "string" ? code : "";
}
