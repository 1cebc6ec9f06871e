import type { Account } from "../domain/account/account.ts";
import type { NewToken } from "./token-store.ts";

/** What of an account may be changed; null takes an override, or the plan, away. */
export type AccountChange = {
  readonly plan?: string | null;
  readonly parallel?: number | null;
  readonly units?: number | null;
  readonly hasAdditionalUnits?: boolean;
  readonly isDisabled?: boolean;
  readonly isOperator?: boolean;
};

/** What an account signs in and calls with, when it is made. */
export type FirstSecrets = {
  /** As a password hasher keeps it; undefined: nobody can sign in. */
  readonly password: string | undefined;
  readonly token: NewToken | undefined;
};

/** Accounts. Those that were erased are in none of the answers. */
export interface AccountStore {
  /** @throws {EmailTaken} When an account with that e-mail, whatever its case, exists. */
  create(account: Account, secrets: FirstSecrets): Promise<void>;
  isEmpty(): Promise<boolean>;
  find(accountId: string): Promise<Account | undefined>;
  findByEmail(email: string): Promise<Account | undefined>;
  change(accountId: string, change: AccountChange): Promise<void>;
  /** Whether an operator besides this one gets in: has the rights and a password, and is not disabled. */
  hasOtherOperator(accountId: string): Promise<boolean>;
  /** As `change`, if another operator gets in by then. @returns Whether it was changed. */
  changeIfOperatorStays(accountId: string, change: AccountChange): Promise<boolean>;
  /**
   * Takes everything away that tells of a person: e-mail, password, provider's key, tokens, sessions, labels of browsers. Its
   * minutes stay in the ledger.
   */
  erase(accountId: string, at: Date): Promise<void>;
  /** Which of these are disabled or erased. */
  findSuspended(accountIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** As a password hasher keeps it; undefined when nobody can sign in. */
  readPassword(accountId: string): Promise<string | undefined>;
  setPassword(accountId: string, kept: string): Promise<void>;
  /** As it was sealed; undefined when there is none. */
  readProviderKey(accountId: string): Promise<string | undefined>;
  setProviderKey(accountId: string, sealed: string | undefined): Promise<void>;
}

export class EmailTaken extends Error {
  constructor(email: string) {
    super(`An account with the e-mail ${email} exists already.`);
    this.name = "EmailTaken";
  }
}
