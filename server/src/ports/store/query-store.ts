/** The provider's tokens that accounts have used with the deployment's key. Only the last day's tokens are kept. */
export interface QueryStore {
  /** @param day In UTC: `2026-11-21`. */
  addTokens(accountId: string, day: string, tokens: number): Promise<void>;
  /** @returns What the account and all accounts have used on that day. */
  sumTokens(accountId: string, day: string): Promise<{ readonly own: number; readonly all: number }>;
}
