/** Notifies all processes in a deployment when an account's browsers change. Disposing closes the feed. */
export interface ChangeFeed extends AsyncDisposable {
  /** Reports a change to the other processes, after a short delay that batches changes. Never throws. */
  publish(accountId: string): void;
  /**
   * Calls `onChange` with each account that another process reports, or with undefined if any account may have changed
   * because reports were lost or too numerous.
   */
  listen(onChange: (accountId: string | undefined) => void): void;
}
