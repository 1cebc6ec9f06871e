import type { Account } from "../domain/account/account.ts";

/** An API token as it is kept: never in clear. */
export type StoredToken = { readonly hash: string; readonly prefix: string };

/** A token with what its owner knows it by. */
export type NewToken = StoredToken & { readonly id: string; readonly name: string; readonly createdAt: Date };

/** A token that works, as its owner sees it. */
export type TokenEntry = {
  readonly id: string;
  readonly name: string;
  /** Its first characters: enough to tell it from others, far too little to use it. */
  readonly prefix: string;
  readonly createdAt: Date;
  /** Behind by as long as uses are gathered; undefined when it never was. */
  readonly lastUsedAt: Date | undefined;
};

/** API tokens. Nothing is kept of one that was revoked or replaced. */
export interface TokenStore {
  /** @param atMost Tokens that the account may have. @returns Whether there was room. */
  add(accountId: string, token: NewToken, atMost: number): Promise<boolean>;
  /** Those that work, the first made first. */
  list(accountId: string): Promise<TokenEntry[]>;
  findAccount(hash: string): Promise<Account | undefined>;
  /** Takes the place of all earlier ones. */
  replaceAll(accountId: string, token: NewToken): Promise<void>;
  /** Puts a new secret in the place of one token's. @param from The prefix it has until then. @returns Whether the account has that token. */
  renew(accountId: string, tokenId: string, from: string, kept: StoredToken, at: Date): Promise<boolean>;
  /** @returns Whether the account had that token. */
  revoke(accountId: string, tokenId: string): Promise<boolean>;
  /** @param uses When each was used last, by its hash; an earlier moment than what is known changes nothing. */
  noteUses(uses: ReadonlyMap<string, Date>): Promise<void>;
}
