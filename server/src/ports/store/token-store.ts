import type { Account } from "../../domain/account/account.ts";

/** An API token as it is stored: never in plain text. */
export type StoredToken = { readonly hash: string; readonly prefix: string };

export type NewToken = StoredToken & { readonly id: string; readonly name: string; readonly createdAt: Date };

/** A token as its owner sees it. */
export type TokenEntry = {
  readonly id: string;
  readonly name: string;
  /** Its first characters: enough to recognize it, far too few to use it. */
  readonly prefix: string;
  readonly createdAt: Date;
  /** Lags behind, because uses are written in batches; undefined if it was never used. */
  readonly lastUsedAt: Date | undefined;
};

/** API tokens. Revoked and replaced tokens are deleted. */
export interface TokenStore {
  /** @param limit Tokens the account may have. @returns False if the account has reached the limit. */
  add(accountId: string, token: NewToken, limit: number): Promise<boolean>;
  /** Oldest first. */
  list(accountId: string): Promise<TokenEntry[]>;
  findAccount(hash: string): Promise<Account | undefined>;
  /** Replaces all tokens of the account with this one. */
  replaceAll(accountId: string, token: NewToken): Promise<void>;
  /**
   * Replaces the secret of a token.
   * @param from The current prefix of the token.
   * @returns Whether the account has that token.
   */
  renew(accountId: string, tokenId: string, from: string, token: StoredToken, at: Date): Promise<boolean>;
  /** @returns Whether the account had that token. */
  revoke(accountId: string, tokenId: string): Promise<boolean>;
  /** @param uses The last use of each token, by its hash. Uses older than the stored one are ignored. */
  recordUses(uses: ReadonlyMap<string, Date>): Promise<void>;
}
