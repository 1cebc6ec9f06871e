import type { Account } from "../domain/account/account.ts";
import type { Due } from "../domain/browser/browser.ts";
import type { BrowserKind } from "../domain/browser/browser-kind.ts";
import type { DesktopAccess } from "../domain/browser/desktop.ts";
import type { EndReason } from "../domain/browser/end.ts";
import type { OpenOptions } from "../domain/browser/open-options.ts";
import type { BrowserSelector } from "../domain/browser/selector.ts";
import type { DatedThumbnail, Picture } from "./display.ts";
import type { Traffic } from "./egress.ts";

/** A snapshot of an open browser. */
export type ListedBrowser = {
  readonly id: string;
  readonly accountId: string;
  readonly address: string;
  readonly openedAt: Date;
  readonly kind: BrowserKind;
  readonly isHeadless: boolean;
  readonly label: string | undefined;
  readonly tags: readonly string[];
  /** The proxy's host; undefined if the browser connects directly. */
  readonly proxyHost: string | undefined;
  readonly hasScreen: boolean;
  /** The desktop's full password; undefined while the desktop is stopped. */
  readonly desktopPassword: string | undefined;
  /** DevTools clients and desktop viewers. */
  readonly clients: number;
  /** When and why the browser will close if nothing changes; undefined: never. */
  readonly due: Due | undefined;
  /** The inactivity period; undefined: none. */
  readonly keepOpenMs: number | undefined;
  /** The maximum lifetime; undefined: no limit. */
  readonly lifetimeMs: number | undefined;
  /** The units used so far, counting each started minute. */
  readonly units: number;
  readonly traffic: Traffic;
};

/** A browser that is open, or that ended so recently that the store may not have its record yet. */
export type RecentBrowser = ListedBrowser & {
  readonly end: { readonly at: Date; readonly reason: EndReason } | undefined;
};

/** New values for an open browser. Undefined leaves a value unchanged. */
export type BrowserChange = {
  /** In ms; 0: as long as the plan allows. */
  readonly keepOpenMs?: number | undefined;
  /** Measured from when the browser opened, in ms; 0: as long as the plan allows. */
  readonly lifetimeMs?: number | undefined;
  readonly label?: string | undefined;
  readonly tags?: readonly string[] | undefined;
};

export type BrowserMatch = { readonly label: string } | { readonly tag: string } | { readonly all: true };

/** The account whose browsers a call affects. */
export type Owner = Pick<Account, "id">;

export type OpenCall = {
  readonly account: Account;
  readonly options: OpenOptions;
  /** The http(s) URL that the address begins with. */
  readonly base: URL;
  /** Aborted when the caller disconnects. */
  readonly disconnected: AbortSignal;
};

/** A deployment's open browsers, across all processes. The API and the pages use only this interface. */
export interface Fleet {
  /**
   * Opens a browser, but closes it without charge if the caller disconnects before the response and gave no idempotency
   * key.
   * @param idempotencyKey All of the account's requests with this key share one browser.
   * @throws {Failure} `NoSubscription`, `NoUnits`, `BrowserLimit` or `BrowserUnavailable`; with a key also
   * `IdempotencyKeyInUse` and `IdempotencyKeyReused`.
   */
  openBrowser(call: OpenCall, idempotencyKey?: string): Promise<{ readonly id: string; readonly address: string }>;
  /** The account's open browsers, oldest first. */
  list(owner: Owner): Promise<ListedBrowser[]>;
  listAll(): Promise<ListedBrowser[]>;
  /** The account's recent browsers, oldest first. */
  listRecent(owner: Owner): Promise<RecentBrowser[]>;
  findRecent(owner: Owner, selector: BrowserSelector): Promise<RecentBrowser | undefined>;
  /**
   * Waits until a browser ends, for at most `maxMs`.
   * @returns The browser after the wait; undefined if it isn't one of the account's recent browsers.
   * @throws {Failure} `BrowserUnavailable` if too many requests are waiting for it. @throws {unknown} `signal.reason`.
   */
  wait(owner: Owner, selector: BrowserSelector, maxMs: number, signal: AbortSignal): Promise<RecentBrowser | undefined>;
  /**
   * Closes a browser. Resolves when all of its resources are released.
   * @throws {Failure} `BrowserNotFound` if the browser is unknown, closed or another account's.
   */
  close(owner: Owner, selector: BrowserSelector): Promise<void>;
  /**
   * Closes the account's matching open browsers, and resolves when all of their resources are released.
   * @returns The number of closed browsers.
   */
  closeMatching(owner: Owner, match: BrowserMatch): Promise<number>;
  /**
   * Changes an open browser. If the browser has already exceeded a new limit, it ends.
   * @throws {Failure} `BrowserNotFound`; `BrowserUnavailable` if the store can't write, in which case nothing changes.
   */
  change(account: Account, selector: BrowserSelector, change: BrowserChange): Promise<RecentBrowser>;
  /** Closes an account's browsers. Resolves when all of the browsers' resources are released. */
  closeAllOf(accountId: string, reason: EndReason): Promise<void>;
  /**
   * Starts a browser's desktop. A second start has no effect and returns the same access.
   * @param base The http(s) URL that the desktop's URLs begin with.
   * @throws {Failure} `BrowserNotFound`; `DesktopUnavailable` if the browser has no screen.
   */
  startDesktop(owner: Owner, selector: BrowserSelector, base: URL): Promise<DesktopAccess>;
  /**
   * Stops a browser's desktop and disconnects its viewers. Stopping it again has no effect.
   * @throws {Failure} `BrowserNotFound`.
   */
  stopDesktop(owner: Owner, selector: BrowserSelector): Promise<void>;
  /**
   * Returns a current picture of a browser, or the last picture if capturing fails.
   * @param signal Ends only this caller's wait.
   * @returns Undefined if no picture exists, or the browser has ended.
   * @throws {Failure} `BrowserNotFound`. @throws {unknown} `signal.reason`.
   */
  takePicture(owner: Owner, selector: BrowserSelector, signal: AbortSignal): Promise<DatedThumbnail | undefined>;
  /**
   * Captures what a browser currently shows, at full size. A capture doesn't count as activity.
   * @param signal Ends only this caller's wait.
   * @throws {Failure} `BrowserNotFound`, even if the browser ends during the capture; `BrowserUnavailable` if capturing
   * fails.
   * @throws {unknown} `signal.reason`.
   */
  takeScreenshot(owner: Owner, selector: BrowserSelector, signal: AbortSignal): Promise<Picture>;
}
