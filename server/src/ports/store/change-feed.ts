/** Tells all processes of a deployment which accounts' browsers have changed. Disposing ends it. */
export interface ChangeFeed extends AsyncDisposable {
  /** Reports a change of this process to the others, soon, and together with later ones. Never throws. */
  publish(accountId: string): void;
  /**
   * Calls back with each account that another process reported; with undefined if any of them may have changed, because
   * reports were lost, or were too many.
   */
  listen(onChange: (accountId: string | undefined) => void): void;
}
