// https://sqlite.org/rescode.html#busy; extended codes have it in their lowest byte.
const SQLITE_BUSY = 5;

/** Whether SQLite refused a query because another process holds the lock that it needs. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && (Number(error.errcode) & 0xff) === SQLITE_BUSY;
}
