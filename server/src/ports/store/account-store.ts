import type { Account } from "../../domain/account/account.ts";
import type { NewToken } from "./token-store.ts";

/** Changes to an account. Null removes the plan, or a limit that overrides the plan's limit. */
export type AccountChange = {
  readonly plan?: string | null;
  readonly parallel?: number | null;
  readonly units?: number | null;
  readonly hasAdditionalUnits?: boolean;
  readonly isDisabled?: boolean;
  readonly isOperator?: boolean;
};

/** An account and its usage in one month. */
export type AccountReport = Account & { readonly unitsUsed: number; readonly openBrowsers: number };

/** A new account's credentials for signing in and for API calls. */
export type AccountSecrets = {
  /** The result of a password hasher; undefined: the user can't sign in. */
  readonly passwordHash?: string | undefined;
  readonly token?: NewToken | undefined;
};

/** Stores accounts. Results omit erased accounts. */
export interface AccountStore {
  /** @throws {EmailTaken} If another account has this email or one that is easily confused with it. */
  create(account: Account, secrets: AccountSecrets): Promise<void>;
  /** Creates the first account, even if several servers try at the same time. @returns False if any account exists. */
  createFirst(account: Account, secrets: AccountSecrets): Promise<boolean>;
  isEmpty(): Promise<boolean>;
  find(accountId: string): Promise<Account | undefined>;
  /**
   * @param email The account's email, or one that is easily confused with it. If two accounts match, returns the
   * account created by an earlier version.
   */
  findByEmail(email: string): Promise<Account | undefined>;
  /** Returns all accounts, oldest first. @param period Like `page`. */
  all(period: string): Promise<AccountReport[]>;
  /**
   * Returns a page of accounts, newest first.
   * @param query.search Part of an email, case-insensitive; empty: all accounts.
   * @param query.after The id of the previous page's last account; undefined: the first page.
   * @param query.period The month of the reported usage, in UTC: `2026-11`.
   */
  page(query: {
    readonly search: string;
    readonly after: string | undefined;
    readonly limit: number;
    readonly period: string;
  }): Promise<AccountReport[]>;
  emails(accountIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  change(accountId: string, change: AccountChange): Promise<void>;
  /**
   * Assigns the account a new version. Once this call resolves, every earlier reservation is either complete or will be
   * refused as outdated.
   */
  outdate(accountId: string): Promise<void>;
  /** Whether another operator can sign in, which requires a password and an account that is not disabled. */
  hasOtherOperator(accountId: string): Promise<boolean>;
  /** Changes the account only if another operator can sign in. @returns Whether the account was changed. */
  changeIfOperatorStays(accountId: string, change: AccountChange): Promise<boolean>;
  /**
   * Removes all personal data: email, password, provider key, tokens, sessions, and browser labels. The account's
   * minutes remain in the ledger.
   */
  erase(accountId: string, at: Date): Promise<void>;
  /** Returns the ids of the given accounts that are disabled or erased. */
  findSuspended(accountIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** @returns Undefined if the user can't sign in. */
  readPasswordHash(accountId: string): Promise<string | undefined>;
  /** Sets the hash and ends all of the account's sessions in one transaction. */
  setPasswordHash(accountId: string, passwordHash: string): Promise<void>;
  /** Returns the sealed key, or undefined if the account has no key. */
  readProviderKey(accountId: string): Promise<string | undefined>;
  setProviderKey(accountId: string, sealed: string | undefined): Promise<void>;
}

export class EmailTaken extends Error {
  constructor(email: string) {
    super(`An account with the email address ${email} already exists.`);
    this.name = "EmailTaken";
  }
}
