// https://sqlite.org/rescode.html; extended codes have these in their lowest byte.
const SQLITE_BUSY = 5;
const [SQLITE_READONLY, SQLITE_IOERR, SQLITE_FULL, SQLITE_CANTOPEN] = [8, 10, 13, 14];

/** The lock is taken, or the disk fails. */
const UNAVAILABLE = new Set([SQLITE_BUSY, SQLITE_READONLY, SQLITE_IOERR, SQLITE_FULL, SQLITE_CANTOPEN]);

/** Whether SQLite refused a query because another process holds the lock that it needs. */
export function isBusy(error: unknown): boolean {
  return toCode(error) === SQLITE_BUSY;
}

/** Whether SQLite refused a query because of something outside of it, that can pass. */
export function isUnavailable(error: unknown): boolean {
  return UNAVAILABLE.has(toCode(error) ?? 0);
}

function toCode(error: unknown): number | undefined {
  return error instanceof Error && "errcode" in error ? Number(error.errcode) & 0xff : undefined;
}
