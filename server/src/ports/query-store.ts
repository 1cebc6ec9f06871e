/** The provider's tokens that accounts have used with the deployment's key. Only those of the last day are kept. */
export interface QueryStore {
  /** @param day In UTC: `2026-11-21`. */
  addTokens(accountId: string, day: string, tokens: number): Promise<void>;
  /** @returns What the account and all accounts have used on that day. */
  sumTokens(accountId: string, day: string): Promise<{ readonly own: number; readonly all: number }>;
}
