/** The provider tokens that accounts have used through the deployment's key. Only the last day is kept. */
export interface QueryStore {
  /** @param day In UTC: `2026-11-21`. */
  addTokens(accountId: string, day: string, tokens: number): Promise<void>;
  /** Returns the tokens used on that day by the account, and by all accounts combined. */
  sumTokens(accountId: string, day: string): Promise<{ readonly own: number; readonly all: number }>;
}
