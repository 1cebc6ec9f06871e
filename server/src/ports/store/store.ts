import type { BrowserKind } from "../../domain/browser/browser-kind.ts";
import type { EndReason } from "../../domain/browser/end.ts";
import type { Standing, Terms } from "../../domain/plan/entitlement.ts";
import type { AccountStore } from "./account-store.ts";
import type { AttemptStore } from "./attempt-store.ts";
import type { AuditStore } from "./audit-store.ts";
import type { ChangeFeed } from "./change-feed.ts";
import type { Traffic } from "../egress.ts";
import type { FleetStore, WorkerInstance } from "./fleet-store.ts";
import type { QueryStore } from "./query-store.ts";
import type { SessionStore } from "./session-store.ts";
import type { TokenStore } from "./token-store.ts";
import type { UsageStore } from "./usage-store.ts";
import type { ServerRegistry } from "../cluster/server-registry.ts";

/** The store can't do what it was asked for at this moment, and may be able to later. */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
  /** Whether the call gave no answer, so that it may have taken effect, or still will. Otherwise it hasn't. */
  readonly isOutcomeUnknown: boolean;

  constructor(
    message: string,
    { isOutcomeUnknown = false, cause }: ErrorOptions & { isOutcomeUnknown?: boolean } = {},
  ) {
    super(message, { cause });
    this.isOutcomeUnknown = isOutcomeUnknown;
  }
}

/** Other calls of the same caller use its share of the store's connections. */
export class ShareUsed extends StoreUnavailable {
  constructor(options?: ErrorOptions) {
    super("The caller's share of the connections is used.", options);
  }
}

/** What keeps a reservation from being written. */
export type Refusal = {
  /** What the account has. */
  readonly standing: Standing;
  /** Whether the account has changed since its terms were computed. */
  readonly isOutdated: boolean;
};

/** A browser that is about to be opened. */
export type Reservation = {
  readonly browserId: string;
  readonly accountId: string;
  /** The version of the account that its terms were computed from. */
  readonly version: number;
  readonly kind: BrowserKind;
  readonly isHeadless: boolean;
  readonly label: string | undefined;
  readonly tags: readonly string[];
  readonly requestedAt: Date;
  /** The month that its first unit is charged to. */
  readonly period: string;
  readonly idempotency?: Idempotency | undefined;
  /** Which process opens it; undefined: this one. */
  readonly workerInstance?: WorkerInstance | undefined;
};

/** Keyed hashes of an Idempotency-Key and of the options it was sent with. */
export type Idempotency = { readonly key: string; readonly options: string };

/** The browser that an Idempotency-Key belongs to. */
type KeyedBrowser = {
  readonly browserId: string;
  /** The hash of its options. */
  readonly options: string;
  /** Undefined while it is being opened. */
  readonly address: string | undefined;
  readonly endedAt: Date | undefined;
};

/** An Idempotency-Key belongs to another browser. */
export class KeyTaken extends Error {
  override readonly name = "KeyTaken";
}

/** How a browser ended. */
export type BrowserEnd = {
  readonly at: Date;
  readonly reason: EndReason;
  /** The minutes that have started. */
  readonly minutes: number;
  /** The inactivity period; undefined: none, or not known. */
  readonly keepOpenMs?: number | undefined;
  /** Undefined: not known. */
  readonly traffic?: Traffic | undefined;
};

/** How many minutes of an open browser have started. */
export type Started = { readonly browserId: string; readonly minutes: number };

/** The records of browsers, and the ledger of their units. */
export interface BrowserStore {
  /**
   * Reserves a browser and a unit if the account is admitted at that moment: concurrent reservations can't exceed its
   * terms together.
   * @returns Why it isn't admitted. In that case nothing is written.
   * @throws {KeyTaken} If its Idempotency-Key belongs to another browser. Then nothing is written, either.
   */
  reserve(reservation: Reservation, terms: Terms): Promise<Refusal | undefined>;
  /** The account's browser with an Idempotency-Key. @param keys The hashes that the key can have. */
  findKeyed(accountId: string, keys: readonly string[]): Promise<KeyedBrowser | undefined>;
  /**
   * Frees the Idempotency-Keys of browsers that ended before a moment.
   * @param limit How many at most. @returns How many.
   */
  freeKeys(endedBefore: Date, limit: number): Promise<number>;
  /**
   * Deletes the record of a browser that its user didn't get: a reservation, or a browser that was opened by a call
   * with an unknown outcome. Its units are given back.
   */
  cancel(browserId: string): Promise<void>;
  /**
   * Turns a reservation of this process into an open browser and charges its first minute.
   * @param attempt The attempt that has started the browser.
   * @returns The units this call has added.
   * @throws {StoreUnavailable} If the reservation is gone, or belongs to another process or attempt.
   */
  commitOpen(browserId: string, address: string, openedAt: Date, attempt?: number): Promise<number>;
  /**
   * Charges the minutes that aren't charged yet, each on the day (UTC) on which it starts: all of them, or none if it
   * fails. Charging them again has no effect. Browsers that aren't open are left out.
   * @returns The units this call has added.
   */
  charge(started: readonly Started[]): Promise<number>;
  /**
   * Charges the minutes that aren't charged yet, closes the record, and adds the browser's units to the ledger, one row
   * for each day. Closing it again has no effect.
   * @returns The units this call has added.
   */
  close(browserId: string, end: BrowserEnd): Promise<number>;
  /** Replaces the label and the tags of an open browser. */
  rename(browserId: string, names: Pick<Reservation, "label" | "tags">): Promise<void>;
  /**
   * Closes the records that earlier starts of this server have left open, each at the start of its last charged minute.
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
  readonly audit: AuditStore;
  /** Counts attempts for all servers together; undefined: each process counts its own. */
  readonly attempts: AttemptStore | undefined;
  /** The servers that share it; undefined: only one can use it. */
  readonly workers: ServerRegistry | undefined;
  /** The browsers of those servers. */
  readonly fleet: FleetStore | undefined;
  /** What the processes that share it tell each other; undefined: this one tells them nothing. */
  readonly changes: ChangeFeed | undefined;
  /** @throws {StoreUnavailable} If it can't be read now. */
  check(): Promise<void>;
  /**
   * Deletes the records of browsers that ended before a moment. The units of their days and the ledger stay.
   * @param limit How many at most.
   * @returns How many were deleted.
   */
  deleteEnded(before: Date, limit: number): Promise<number>;
  /** Encrypts all secrets with the current key. Works while servers are running. @returns How many have changed. */
  rekey(): Promise<Rekeyed>;
}

export type Rekeyed = { readonly providerKeys: number; readonly addresses: number };

/** The database of `RBS_DATABASE_URL` can't be opened. The cause says why. */
export class DatabaseUnusable extends Error {
  constructor(cause: unknown) {
    super("The database can't be used. Check RBS_DATABASE_URL.", { cause });
    this.name = "DatabaseUnusable";
  }
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
