import type { BrowserKind } from "../domain/browser/browser-kind.ts";
import type { EndReason } from "../domain/browser/end.ts";
import type { UsageSnapshot } from "../domain/account/entitlement.ts";
import type { AccountStore } from "./account-store.ts";
import type { SessionStore } from "./session-store.ts";
import type { TokenStore } from "./token-store.ts";
import type { UsageStore } from "./usage-store.ts";

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

/** Browsers as the books know them, and the ledger of their units. */
export interface BrowserStore {
  /**
   * Reserves a place and a unit in one transaction: no other reservation comes between `decide` and its effect.
   * @param decide Sees what counts so far; throwing refuses, and nothing is written.
   * @throws {Failure} `AuthorizationError` when the account is disabled or erased by now.
   */
  reserve(reservation: Reservation, decide: (standing: UsageSnapshot) => void): Promise<void>;
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
  readonly tokens: TokenStore;
  readonly sessions: SessionStore;
  readonly browsers: BrowserStore;
  readonly usage: UsageStore;
}

/** Another process holds the folder. */
export class FolderInUse extends Error {
  constructor(file: string, cause: unknown) {
    super(`Another server already runs on this folder (it holds ${file}): stop it first.`, { cause });
    this.name = "FolderHeld";
  }
}
