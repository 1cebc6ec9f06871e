import type { Account } from "../domain/account/account.ts";
import type { Due } from "../domain/browser/browser.ts";
import type { BrowserKind } from "../domain/browser/browser-kind.ts";
import type { DesktopAccess } from "../domain/browser/desktop.ts";
import type { EndReason } from "../domain/browser/end.ts";
import type { OpenOptions } from "../domain/browser/open-options.ts";
import type { DatedThumbnail } from "./display.ts";

/** An open browser as it was when it was listed. */
export type ListedBrowser = {
  readonly id: string;
  readonly accountId: string;
  readonly address: string;
  readonly openedAt: Date;
  readonly kind: BrowserKind;
  readonly isHeadless: boolean;
  readonly label: string | undefined;
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
};

/** Whose browsers to find. */
export type Owner = Pick<Account, "id">;

/** The open browsers of a deployment, in whichever process they run. The API and the pages know only these. */
export interface Fleet {
  /**
   * @param base What the address begins with: an http(s) URL.
   * @param gone Aborted when the caller disconnects. In that case the browser is closed and not charged.
   * @returns Its address.
   * @throws {Failure} `NoSubscription`, `NoUnits`, `BrowserLimit` or `BrowserUnavailable`.
   */
  open(account: Account, options: OpenOptions, base: URL, gone: AbortSignal): Promise<string>;
  /** The account's open browsers, oldest first. */
  list(owner: Owner): Promise<ListedBrowser[]>;
  /** The open browsers of all accounts. */
  listAll(): Promise<ListedBrowser[]>;
  /**
   * Closes a browser. Resolves when it has released everything.
   * @throws {Failure} `BrowserNotFound` for an address that is unknown, closed, or another account's.
   */
  close(owner: Owner, address: string): Promise<void>;
  /** Closes an account's browsers. Resolves when they have released everything. */
  closeAllOf(accountId: string, reason: EndReason): Promise<void>;
  /**
   * Starts the desktop of a browser. Starting it again has no effect and returns the same access.
   * @param base What its URLs begin with: an http(s) URL.
   * @throws {Failure} `BrowserNotFound`; `DesktopUnavailable` when the browser has no screen.
   */
  startDesktop(owner: Owner, address: string, base: URL): Promise<DesktopAccess>;
  /**
   * Stops the desktop of a browser and disconnects its viewers. Stopping it again has no effect.
   * @throws {Failure} `BrowserNotFound`.
   */
  stopDesktop(owner: Owner, address: string): Promise<void>;
  /**
   * An up-to-date picture of a browser, or the last one if a new one can't be taken.
   * @param signal Ends the wait of this caller only.
   * @returns Undefined if there is none, or the browser has ended.
   * @throws {Failure} `BrowserNotFound`. @throws {unknown} `signal.reason`.
   */
  takePicture(owner: Owner, address: string, signal: AbortSignal): Promise<DatedThumbnail | undefined>;
}
