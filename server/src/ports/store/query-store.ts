/** The provider tokens that accounts have used with the deployment's key. Only the last day is kept. */
export interface QueryStore {
  /** @param day In UTC: `2026-11-21`. */
  addTokens(accountId: string, day: string, tokens: number): Promise<void>;
  /** Returns the tokens that the account, and all accounts together, used on that day. */
  sumTokens(accountId: string, day: string): Promise<{ readonly own: number; readonly all: number }>;
}
