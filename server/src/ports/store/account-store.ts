import type { Account } from "../../domain/account/account.ts";
import type { NewToken } from "./token-store.ts";

/** What to change about an account. Null removes the plan, or a limit that overrides the plan's. */
export type AccountChange = {
  readonly plan?: string | null;
  readonly parallel?: number | null;
  readonly units?: number | null;
  readonly hasAdditionalUnits?: boolean;
  readonly isDisabled?: boolean;
  readonly isOperator?: boolean;
};

/** An account with its usage of a month. */
export type AccountReport = Account & { readonly unitsUsed: number; readonly openBrowsers: number };

/** What a new account's user signs in and makes calls with. */
export type AccountSecrets = {
  /** From a password hasher; undefined: the user can't sign in. */
  readonly passwordHash?: string | undefined;
  readonly token?: NewToken | undefined;
};

/** Accounts. Leaves out erased ones. */
export interface AccountStore {
  /** @throws {EmailTaken} If another account has this email or one that is confusable with it. */
  create(account: Account, secrets: AccountSecrets): Promise<void>;
  /** Creates an account if there is none, also if several servers try at the same time. @returns Whether it did. */
  createFirst(account: Account, secrets: AccountSecrets): Promise<boolean>;
  isEmpty(): Promise<boolean>;
  find(accountId: string): Promise<Account | undefined>;
  /**
   * @param email The account's email, or one that looks like it. If two accounts match, the one that an earlier version
   *   created is found.
   */
  findByEmail(email: string): Promise<Account | undefined>;
  /** All accounts, oldest first. @param period As for `page`. */
  all(period: string): Promise<AccountReport[]>;
  /**
   * Accounts, newest first.
   * @param query.search Part of an email, in any case; empty: all accounts.
   * @param query.after Id of the last account on the page before; undefined: the first page.
   * @param query.period The month in UTC to report the usage of: `2026-11`.
   */
  page(query: {
    readonly search: string;
    readonly after: string | undefined;
    readonly limit: number;
    readonly period: string;
  }): Promise<AccountReport[]>;
  /** Emails by account id. */
  emails(accountIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  change(accountId: string, change: AccountChange): Promise<void>;
  /**
   * Gives the account a new version. Reservations that were begun before either are done when this resolves, or are
   * refused as outdated.
   */
  outdate(accountId: string): Promise<void>;
  /** Whether another operator can sign in: has a password and is not disabled. */
  hasOtherOperator(accountId: string): Promise<boolean>;
  /** Changes the account only if another operator can sign in at that moment. @returns Whether it changed. */
  changeIfOperatorStays(accountId: string, change: AccountChange): Promise<boolean>;
  /**
   * Removes all personal data: email, password, provider key, tokens, sessions, and the labels of browsers. The
   * account's minutes stay in the ledger.
   */
  erase(accountId: string, at: Date): Promise<void>;
  /** Returns the ids of those accounts that are disabled or erased. */
  findSuspended(accountIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Undefined if the user can't sign in. */
  readPasswordHash(accountId: string): Promise<string | undefined>;
  /** Also ends all sessions of the account: if it fails, neither has happened. */
  setPasswordHash(accountId: string, passwordHash: string): Promise<void>;
  /** The sealed key; undefined if the account has no key. */
  readProviderKey(accountId: string): Promise<string | undefined>;
  setProviderKey(accountId: string, sealed: string | undefined): Promise<void>;
}

export class EmailTaken extends Error {
  constructor(email: string) {
    super(`An account with the email address ${email} already exists.`);
    this.name = "EmailTaken";
  }
}
