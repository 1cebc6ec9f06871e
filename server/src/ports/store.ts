import type { Account } from "../domain/account.ts";
import type { BrowserKind } from "../domain/browser-kind.ts";
import type { EndReason } from "../domain/end.ts";
import type { Standing } from "../domain/entitlement.ts";

/** A browser that is about to be opened, as it is admitted. */
export type Reservation = {
  readonly browserId: string;
  readonly accountId: string;
  readonly kind: BrowserKind;
  readonly label: string | undefined;
  readonly requestedAt: Date;
  /** Month that its first unit would be charged to. */
  readonly period: string;
};

/** One started minute of one browser. */
export type Charge = {
  readonly browserId: string;
  /** Counted from 0 at the browser's opening. */
  readonly minute: number;
  readonly period: string;
  readonly startedAt: Date;
};

/** An account's consumption in a month. */
export type Usage = { readonly period: string; readonly units: number; readonly openBrowsers: number };

/** What of an account an operator may change; null takes an override away. */
export type AccountChange = {
  readonly plan?: string | null;
  readonly parallel?: number | null;
  readonly units?: number | null;
  readonly hasAdditionalUnits?: boolean;
  readonly isDisabled?: boolean;
};

/** An API token as it is kept: never in clear. */
export type KeptToken = { readonly hash: string; readonly prefix: string };

/** Accounts and their tokens. */
export interface AccountStore {
  /** @throws {EmailTaken} When an account with that e-mail, whatever its case, exists. */
  create(account: Account, token: KeptToken): Promise<void>;
  list(): Promise<Account[]>;
  findByEmail(email: string): Promise<Account | undefined>;
  findByToken(hash: string): Promise<Account | undefined>;
  change(accountId: string, change: AccountChange): Promise<void>;
  /** Takes the place of all earlier tokens. */
  replaceToken(accountId: string, token: KeptToken, at: Date): Promise<void>;
  usage(accountId: string, period: string): Promise<Usage>;
}

/** Browsers as the books know them, and the ledger of their units. */
export interface BrowserStore {
  /**
   * Reserves a place and a unit in one transaction: no other reservation comes between `decide` and its effect.
   * @param decide Sees what counts so far; throwing refuses, and nothing is written.
   */
  reserve(reservation: Reservation, decide: (standing: Standing) => void): Promise<void>;
  /** Takes a reservation back. */
  cancel(browserId: string): Promise<void>;
  /** Turns a reservation into an open browser and charges its first minute. */
  open(browserId: string, address: string, charge: Charge): Promise<void>;
  /** Charges a minute; one that is charged already stays charged once. @returns The units that came in by it: 1 or 0. */
  charge(charge: Charge): Promise<number>;
  /**
   * Charges what is not charged yet and closes the row. Closing twice changes nothing.
   * @returns The units that came in by it.
   */
  close(browserId: string, end: { at: Date; reason: EndReason; charges: readonly Charge[] }): Promise<number>;
  /**
   * Closes the rows that a server left open when it was killed, each at the last moment it is known to have lived.
   * @returns How many there were.
   */
  closeLost(): Promise<number>;
}

/** The books. Disposing closes them. */
export interface Store extends AsyncDisposable {
  readonly accounts: AccountStore;
  readonly browsers: BrowserStore;
}

export class EmailTaken extends Error {
  constructor(email: string) {
    super(`An account with the e-mail ${email} exists already.`);
    this.name = "EmailTaken";
  }
}
