import type { Account } from "../domain/account/account.ts";
import type { Due } from "../domain/browser/browser.ts";
import type { BrowserKind } from "../domain/browser/browser-kind.ts";
import type { DesktopAccess } from "../domain/browser/desktop.ts";
import type { EndReason } from "../domain/browser/end.ts";
import type { OpenOptions } from "../domain/browser/open-options.ts";
import type { BrowserSelector } from "../domain/browser/selector.ts";
import type { DatedThumbnail, Picture } from "./display.ts";
import type { Traffic } from "./egress.ts";

/** An open browser as it was when it was listed. */
export type ListedBrowser = {
  readonly id: string;
  readonly accountId: string;
  readonly address: string;
  readonly openedAt: Date;
  readonly kind: BrowserKind;
  readonly isHeadless: boolean;
  readonly label: string | undefined;
  readonly tags: readonly string[];
  /** The host of its proxy; undefined if it connects directly. */
  readonly proxyHost: string | undefined;
  /** Whether its desktop can be started. */
  readonly hasScreen: boolean;
  /** The full password of its desktop; undefined while the desktop is stopped. */
  readonly desktopPassword: string | undefined;
  /** DevTools clients and desktop viewers. */
  readonly clients: number;
  /** When it closes if nothing else happens, and why; undefined: never. */
  readonly due: Due | undefined;
  /** Its inactivity period; undefined: none. */
  readonly keepOpenMs: number | undefined;
  /** How long it may be open; undefined: no limit. */
  readonly lifetimeMs: number | undefined;
  /** The units of the minutes that have started. */
  readonly units: number;
  readonly traffic: Traffic;
};

/** A browser that is open, or that has ended so recently that the store may not have its record. */
export type RecentBrowser = ListedBrowser & {
  readonly end: { readonly at: Date; readonly reason: EndReason } | undefined;
};

/** New values for an open browser. Those that are undefined stay. */
export type BrowserChange = {
  /** In ms; 0: as long as the plan allows. */
  readonly keepOpenMs?: number | undefined;
  /** From the opening, in ms; 0: as long as the plan allows. */
  readonly lifetimeMs?: number | undefined;
  readonly label?: string | undefined;
  readonly tags?: readonly string[] | undefined;
};

/** Which of an account's browsers to close. */
export type BrowserMatch = { readonly label: string } | { readonly tag: string } | { readonly all: true };

/** Whose browsers to find. */
export type Owner = Pick<Account, "id">;

/** A call of Open. */
export type OpenCall = {
  readonly account: Account;
  readonly options: OpenOptions;
  /** What the address begins with: an http(s) URL. */
  readonly base: URL;
  /** Aborted when the caller disconnects. */
  readonly disconnected: AbortSignal;
};

/** The open browsers of a deployment, in whichever process they run. The API and the pages know only these. */
export interface Fleet {
  /**
   * Opens a browser. Without a key, it is closed and not charged if the caller disconnects before it has the answer.
   * @param idempotencyKey Requests of the account with the same key open one browser.
   * @throws {Failure} `NoSubscription`, `NoUnits`, `BrowserLimit` or `BrowserUnavailable`; with a key also
   * `IdempotencyKeyInUse`
   *   and `IdempotencyKeyReused`.
   */
  openBrowser(call: OpenCall, idempotencyKey?: string): Promise<{ readonly id: string; readonly address: string }>;
  /** The account's open browsers, oldest first. */
  list(owner: Owner): Promise<ListedBrowser[]>;
  /** The open browsers of all accounts. */
  listAll(): Promise<ListedBrowser[]>;
  /** The account's recent browsers, oldest first. */
  listRecent(owner: Owner): Promise<RecentBrowser[]>;
  findRecent(owner: Owner, selector: BrowserSelector): Promise<RecentBrowser | undefined>;
  /**
   * Waits until a browser ends, at most for a time.
   * @returns The browser at that moment; undefined if it isn't a recent one of the account.
   * @throws {Failure} `BrowserUnavailable` if too many requests wait for it. @throws {unknown} `signal.reason`.
   */
  wait(owner: Owner, selector: BrowserSelector, maxMs: number, signal: AbortSignal): Promise<RecentBrowser | undefined>;
  /**
   * Closes a browser. Resolves when it has released everything.
   * @throws {Failure} `BrowserNotFound` for a browser that is unknown, closed, or another account's.
   */
  close(owner: Owner, selector: BrowserSelector): Promise<void>;
  /**
   * Closes the account's open browsers that match. Resolves when they have released everything.
   * @returns How many it has closed.
   */
  closeMatching(owner: Owner, match: BrowserMatch): Promise<number>;
  /**
   * Changes an open browser. One that is older than its new limits allow ends.
   * @throws {Failure} `BrowserNotFound`; `BrowserUnavailable` if the store can't write now, and then nothing has
   * changed.
   */
  change(account: Account, selector: BrowserSelector, change: BrowserChange): Promise<RecentBrowser>;
  /** Closes an account's browsers. Resolves when they have released everything. */
  closeAllOf(accountId: string, reason: EndReason): Promise<void>;
  /**
   * Starts the desktop of a browser. Starting it again has no effect and returns the same access.
   * @param base What its URLs begin with: an http(s) URL.
   * @throws {Failure} `BrowserNotFound`; `DesktopUnavailable` when the browser has no screen.
   */
  startDesktop(owner: Owner, selector: BrowserSelector, base: URL): Promise<DesktopAccess>;
  /**
   * Stops the desktop of a browser and disconnects its viewers. Stopping it again has no effect.
   * @throws {Failure} `BrowserNotFound`.
   */
  stopDesktop(owner: Owner, selector: BrowserSelector): Promise<void>;
  /**
   * An up-to-date picture of a browser, or the last one if a new one can't be taken.
   * @param signal Ends the wait of this caller only.
   * @returns Undefined if there is none, or the browser has ended.
   * @throws {Failure} `BrowserNotFound`. @throws {unknown} `signal.reason`.
   */
  takePicture(owner: Owner, selector: BrowserSelector, signal: AbortSignal): Promise<DatedThumbnail | undefined>;
  /**
   * A picture of what a browser shows now, in full size. Taking it doesn't count as activity.
   * @param signal Ends the wait of this caller only.
   * @throws {Failure} `BrowserNotFound`, also if it ends first; `BrowserUnavailable` if no picture can be taken now.
   * @throws {unknown} `signal.reason`.
   */
  takeScreenshot(owner: Owner, selector: BrowserSelector, signal: AbortSignal): Promise<Picture>;
}
