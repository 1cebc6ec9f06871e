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

/** The store is temporarily unable to serve a call. */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
  /** Whether the call may have taken effect, or may still do so, because the store didn't respond. */
  readonly isOutcomeUnknown: boolean;

  constructor(
    message: string,
    { isOutcomeUnknown = false, cause }: ErrorOptions & { isOutcomeUnknown?: boolean } = {},
  ) {
    super(message, { cause });
    this.isOutcomeUnknown = isOutcomeUnknown;
  }
}

/** The caller's other calls have used up its share of the store's connections. */
export class ShareUsed extends StoreUnavailable {
  constructor(options?: ErrorOptions) {
    super("The caller's share of the connections is used up.", options);
  }
}

export type Refusal = {
  readonly standing: Standing;
  /** Whether the account has changed since its terms were computed. */
  readonly isOutdated: boolean;
};

export type Reservation = {
  readonly browserId: string;
  readonly accountId: string;
  /** The account version from which the terms were computed. */
  readonly version: number;
  readonly kind: BrowserKind;
  readonly isHeadless: boolean;
  readonly label: string | undefined;
  readonly tags: readonly string[];
  readonly requestedAt: Date;
  /** The month in which the browser's first unit is charged. */
  readonly period: string;
  readonly idempotency?: Idempotency | undefined;
  /** The process that opens the browser; this process if undefined. */
  readonly workerInstance?: WorkerInstance | undefined;
};

/** Keyed hashes of an Idempotency-Key and of the request's options. */
export type Idempotency = { readonly key: string; readonly options: string };

/** The browser that belongs to an Idempotency-Key. */
type KeyedBrowser = {
  readonly browserId: string;
  readonly options: string;
  /** Undefined while the browser is being opened. */
  readonly address: string | undefined;
  readonly endedAt: Date | undefined;
};

/** The Idempotency-Key already belongs to another browser. */
export class KeyTaken extends Error {
  override readonly name = "KeyTaken";
}

export type BrowserEnd = {
  readonly at: Date;
  readonly reason: EndReason;
  readonly minutes: number;
  /** The inactivity period; undefined: none or unknown. */
  readonly keepOpenMs?: number | undefined;
  /** Undefined: not known. */
  readonly traffic?: Traffic | undefined;
};

/** How many of an open browser's minutes have started. */
export type Started = { readonly browserId: string; readonly minutes: number };

/** Browser records, and the ledger of their units. */
export interface BrowserStore {
  /**
   * Reserves a browser and a unit if the account's terms allow it. Concurrent reservations can't exceed the terms.
   * @returns The reason for a refusal, which writes nothing; undefined if the reservation is made.
   * @throws {KeyTaken} If the Idempotency-Key belongs to another browser. Nothing is written.
   */
  reserve(reservation: Reservation, terms: Terms): Promise<Refusal | undefined>;
  /** Finds the account's browser for an Idempotency-Key. @param keys The possible hashes of the key. */
  findKeyed(accountId: string, keys: readonly string[]): Promise<KeyedBrowser | undefined>;
  /**
   * Frees the Idempotency-Keys of browsers that ended before `endedBefore`.
   * @param limit The maximum number of keys. @returns The number of freed keys.
   */
  freeKeys(endedBefore: Date, limit: number): Promise<number>;
  /**
   * Deletes the record of a browser that its user never received, and refunds its units. The record is either a
   * reservation or a browser opened by a call with an unknown outcome.
   */
  cancel(browserId: string): Promise<void>;
  /**
   * Turns one of this process's reservations into an open browser and charges its first minute.
   * @param attempt The attempt that started the browser.
   * @returns The units added by this call.
   * @throws {StoreUnavailable} If the reservation was deleted, or belongs to another process or attempt.
   */
  commitOpen(browserId: string, address: string, openedAt: Date, attempt?: number): Promise<number>;
  /**
   * Charges all uncharged minutes in one transaction, each to the UTC day on which it starts. Charging a minute again
   * has no effect. Ignores browsers that aren't open.
   * @returns The units added by this call.
   */
  charge(started: readonly Started[]): Promise<number>;
  /**
   * Charges the uncharged minutes, closes the record, and adds the browser's units to the ledger, one row per day.
   * Closing a closed record has no effect.
   * @returns The units added by this call.
   */
  close(browserId: string, end: BrowserEnd): Promise<number>;
  rename(browserId: string, names: Pick<Reservation, "label" | "tags">): Promise<void>;
  /**
   * Closes the records that earlier processes of this server left open, each at the start of its last charged minute.
   * @returns The number of closed records.
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
  /** Counts attempts across all servers. If undefined, each process counts its own. */
  readonly attempts: AttemptStore | undefined;
  /** The servers that share the store; undefined if it supports only one server. */
  readonly workers: ServerRegistry | undefined;
  readonly fleet: FleetStore | undefined;
  /** The feed through which processes notify each other of changes; undefined if the store supports only one server. */
  readonly changes: ChangeFeed | undefined;
  /** @throws {StoreUnavailable} If the store is currently unreadable. */
  check(): Promise<void>;
  /**
   * Deletes the records of browsers that ended before `before`. Keeps the ledger and the units per day.
   * @param limit The maximum number of records. @returns The number of deleted records.
   */
  deleteEnded(before: Date, limit: number): Promise<number>;
  /** Re-encrypts all secrets with the current key, even while servers run. @returns The number of changed secrets. */
  rekey(): Promise<Rekeyed>;
}

export type Rekeyed = { readonly providerKeys: number; readonly addresses: number };

/** The database at `RBS_DATABASE_URL` can't be opened. The cause contains the reason. */
export class DatabaseUnusable extends Error {
  constructor(cause: unknown) {
    super("The database can't be used. Check RBS_DATABASE_URL.", { cause });
    this.name = "DatabaseUnusable";
  }
}

/** Another process is using the data folder or the working folder. */
export class FolderInUse extends Error {
  constructor(folder: string) {
    super(
      `A server is already using the folder ${folder}. Stop it, or set RBS_DATA_DIR and RBS_WORK_DIR to other folders.`,
    );
    this.name = "FolderInUse";
  }
}
