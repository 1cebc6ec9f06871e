import type { BrowserSelector } from "../../domain/browser/selector.ts";
import type { ListedBrowser } from "../fleet.ts";

/** A server process: usually a worker, or the front-end named in the row of a waiting Open. */
export type WorkerInstance = {
  readonly worker: string;
  readonly instance: string;
};

/** Values known only to the browser's own process, which writes them to the store when they change. */
export type BrowserDetails = Pick<
  ListedBrowser,
  "proxyHost" | "hasScreen" | "desktopPassword" | "clients" | "due" | "keepOpenMs" | "lifetimeMs" | "traffic"
>;

/** An open browser, as recorded in the store. */
export type StoredBrowser = Omit<ListedBrowser, "units" | keyof BrowserDetails> &
  WorkerInstance & {
    /** Undefined until the worker has written the details. */
    readonly details: BrowserDetails | undefined;
  };

export type Attempt = { readonly id: string; readonly attempt: number };

/** The rows of all workers' browsers. */
export interface FleetStore {
  /** The process that writes to this store. */
  readonly own: WorkerInstance;
  /**
   * Moves a browser that is being opened to another worker for the next attempt. The previous worker can no longer open
   * the browser.
   * @param attempt The number of the previous attempt.
   * @returns False if the browser is already open, or its row was deleted.
   */
  moveTo(browserId: string, attempt: number, to: WorkerInstance): Promise<boolean>;
  /** Deletes the row of a browser that is being opened. Rows of open browsers remain. */
  giveUp(browserId: string, attempt?: number): Promise<void>;
  /**
   * Deletes the row of a browser that this process failed to open in this attempt. If a write with an unknown outcome
   * has marked the browser as open, its units are refunded.
   */
  cancel(browserId: string, attempt: number): Promise<void>;
  /** Lists the account's open browsers, oldest first. Without an account, lists all browsers. */
  list(accountId: string | undefined): Promise<StoredBrowser[]>;
  find(accountId: string, selector: BrowserSelector): Promise<StoredBrowser | undefined>;
  /** Writes details of this process's open browsers, keyed by browser id. */
  describe(details: ReadonlyMap<string, BrowserDetails>): Promise<void>;
  /** Asks an open browser's worker to close the browser as soon as possible. */
  wantClosed(browserId: string): Promise<void>;
  /** Returns the browsers that this process was asked to close. */
  findWantedClosed(): Promise<string[]>;
  /** Lists the attempts assigned to this worker. */
  listAttempts(): Promise<Attempt[]>;
  /**
   * Lists this worker's browsers that are open or being opened, including browsers of its earlier processes: a database
   * failover may have lost the record of their end.
   */
  listOwn(): Promise<{ readonly id: string; readonly isOpen: boolean }[]>;
}
