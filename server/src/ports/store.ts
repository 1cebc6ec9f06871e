import type { BrowserKind } from "../domain/browser/browser-kind.ts";
import type { EndReason } from "../domain/browser/end.ts";
import type { Standing, Terms } from "../domain/account/entitlement.ts";
import type { AccountStore } from "./account-store.ts";
import type { QueryStore } from "./query-store.ts";
import type { SessionStore } from "./session-store.ts";
import type { TokenStore } from "./token-store.ts";
import type { UsageStore } from "./usage-store.ts";

/** The store can't do what it was asked for at this moment, and may be able to later. Nothing has changed in it. */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
}

/** A browser that is about to be opened. */
export type Reservation = {
  readonly browserId: string;
  readonly accountId: string;
  readonly kind: BrowserKind;
  readonly label: string | undefined;
  readonly requestedAt: Date;
  /** The month that its first unit is charged to. */
  readonly period: string;
};

/** One started minute of one browser. */
export type Charge = {
  readonly browserId: string;
  /** Counted from 0 since the browser opened. */
  readonly minute: number;
  readonly period: string;
  readonly startedAt: Date;
};

/** The records of browsers, and the ledger of their units. */
export interface BrowserStore {
  /**
   * Reserves a browser and a unit if the account is admitted at that moment: concurrent reservations can't exceed its
   * terms together.
   * @returns What the account has, if it isn't admitted. In that case nothing is written.
   */
  reserve(reservation: Reservation, terms: Terms): Promise<Standing | undefined>;
  /** Deletes a reservation. */
  cancel(browserId: string): Promise<void>;
  /** Turns a reservation into an open browser and charges its first minute. */
  open(browserId: string, address: string, charge: Charge): Promise<void>;
  /** Charges a minute. Charging it again has no effect. @returns The units this call has added: 1 or 0. */
  charge(charge: Charge): Promise<number>;
  /**
   * Charges the minutes that aren't charged yet and closes the record. Closing it again has no effect.
   * @returns The units this call has added.
   */
  close(browserId: string, end: { at: Date; reason: EndReason; charges: readonly Charge[] }): Promise<number>;
  /**
   * Closes the records that a killed server left open, each at the start of its last charged minute.
   * @returns The number of these records.
   */
  closeLost(): Promise<number>;
}

/** Everything the server stores. Disposing closes the storage. */
export interface Store extends AsyncDisposable {
  readonly accounts: AccountStore;
  readonly tokens: TokenStore;
  readonly sessions: SessionStore;
  readonly browsers: BrowserStore;
  readonly usage: UsageStore;
  readonly queries: QueryStore;
}

/** Another process uses the folder. */
export class FolderInUse extends Error {
  constructor(folder: string) {
    super(
      `A server is already using the folder ${folder}. Stop it, or set RBS_DATA_DIR and RBS_WORK_DIR to other folders.`,
    );
    this.name = "FolderInUse";
  }
}
