import type { Account } from "../../domain/account/account.ts";

/** An API token as stored, without its plain text. */
export type StoredToken = { readonly hash: string; readonly prefix: string };

export type NewToken = StoredToken & { readonly id: string; readonly name: string; readonly createdAt: Date };

/** A token as its owner sees it. */
export type TokenEntry = {
  readonly id: string;
  readonly name: string;
  /** The token's first characters: enough to recognize the token, but far too few to use it. */
  readonly prefix: string;
  readonly createdAt: Date;
  /** Undefined if the token was never used. May be outdated, because uses are written in batches. */
  readonly lastUsedAt: Date | undefined;
};

/** Stores API tokens. Revoked and replaced tokens are deleted. */
export interface TokenStore {
  /** @param limit The maximum number of tokens per account. @returns False if the account has reached the limit. */
  add(accountId: string, token: NewToken, limit: number): Promise<boolean>;
  /** Oldest first. */
  list(accountId: string): Promise<TokenEntry[]>;
  findAccount(hash: string): Promise<Account | undefined>;
  /** Replaces all of the account's tokens with this one. */
  replaceAll(accountId: string, token: NewToken): Promise<void>;
  /**
   * Replaces a token's secret.
   * @param from The token's current prefix.
   * @returns Whether the account has that token.
   */
  renew(accountId: string, tokenId: string, from: string, token: StoredToken, at: Date): Promise<boolean>;
  /** @returns Whether the account had the token. */
  revoke(accountId: string, tokenId: string): Promise<boolean>;
  /** @param uses The last use of each token, keyed by the token's hash. A use older than the stored use is ignored. */
  recordUses(uses: ReadonlyMap<string, Date>): Promise<void>;
}
