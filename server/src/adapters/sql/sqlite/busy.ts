// See https://sqlite.org/rescode.html. The lowest byte of an extended result code is one of these codes.
const SQLITE_BUSY = 5;
const [SQLITE_READONLY, SQLITE_IOERR, SQLITE_FULL, SQLITE_CANTOPEN] = [8, 10, 13, 14];

const UNAVAILABLE = new Set([SQLITE_BUSY, SQLITE_READONLY, SQLITE_IOERR, SQLITE_FULL, SQLITE_CANTOPEN]);

/** Whether SQLite refused a query because another process holds a lock. */
export function isBusy(error: unknown): boolean {
  return toCode(error) === SQLITE_BUSY;
}

/** Whether SQLite refused a query for a temporary reason: a lock, or a failing disk. */
export function isUnavailable(error: unknown): boolean {
  return UNAVAILABLE.has(toCode(error) ?? 0);
}

function toCode(error: unknown): number | undefined {
  return error instanceof Error && "errcode" in error ? Number(error.errcode) & 0xff : undefined;
}
