import type { QueryStore } from "../../src/ports/store/query-store.ts";

/** Keeps the tokens in memory. */
export class FakeQueryStore implements QueryStore {
  /** Tokens by day and account. */
  readonly used = new Map<string, number>();
  isBroken = false;

  async addTokens(accountId: string, day: string, tokens: number): Promise<void> {
    if (this.isBroken) throw new Error("The disk is full.");
    const key = `${day} ${accountId}`;
    this.used.set(key, (this.used.get(key) ?? 0) + tokens);
  }

  async sumTokens(accountId: string, day: string): Promise<{ own: number; all: number }> {
    const ofDay = [...this.used].filter(([key]) => key.startsWith(day));
    const all = ofDay.reduce((sum, [, tokens]) => sum + tokens, 0);
    return { own: this.used.get(`${day} ${accountId}`) ?? 0, all };
  }
}
