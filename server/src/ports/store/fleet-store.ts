import type { BrowserSelector } from "../../domain/browser/selector.ts";
import type { ListedBrowser } from "../fleet.ts";

/** A start of a server. A front-end is also one while the row of a waiting Open names it. */
export type WorkerInstance = {
  readonly worker: string;
  readonly instance: string;
};

/** What only the process knows that has the browser, and writes to the store when it changes. */
export type BrowserDetails = Pick<
  ListedBrowser,
  "proxyHost" | "hasScreen" | "desktopPassword" | "clients" | "due" | "keepOpenMs" | "lifetimeMs" | "traffic"
>;

/** An open browser as the store knows it. */
export type StoredBrowser = Omit<ListedBrowser, "units" | keyof BrowserDetails> &
  WorkerInstance & {
    /** Undefined: its worker hasn't written them yet. */
    readonly details: BrowserDetails | undefined;
  };

/** A browser that is being opened, and which attempt that is. */
export type Attempt = { readonly id: string; readonly attempt: number };

/** The rows of the browsers of all workers. */
export interface FleetStore {
  /** The process that writes to this store. */
  readonly own: WorkerInstance;
  /**
   * Gives a browser that is being opened to a worker, as its next attempt. The worker before can't open it any more.
   * @param attempt The number of its last attempt.
   * @returns Whether it could: otherwise it is open by now, or its row is gone.
   */
  moveTo(browserId: string, attempt: number, to: WorkerInstance): Promise<boolean>;
  /** Deletes the row of a browser that is being opened. One that is open stays. */
  giveUp(browserId: string, attempt?: number): Promise<void>;
  /**
   * Deletes the row of a browser that this process has failed to open, as this attempt. The row may say that it is
   * open, because the outcome of writing that can be unknown: then its units are given back.
   */
  cancel(browserId: string, attempt: number): Promise<void>;
  /** The account's open browsers, oldest first; without an account, the browsers of all accounts. */
  list(accountId: string | undefined): Promise<StoredBrowser[]>;
  find(accountId: string, selector: BrowserSelector): Promise<StoredBrowser | undefined>;
  /** Writes details of this process's open browsers, by their ids. */
  describe(details: ReadonlyMap<string, BrowserDetails>): Promise<void>;
  /** Asks the worker of an open browser to close it, when it can. */
  wantClosed(browserId: string): Promise<void>;
  /** The browsers of this process that are to be closed. */
  findWantedClosed(): Promise<string[]>;
  /** The attempts that this worker is to make. */
  listAttempts(): Promise<Attempt[]>;
  /**
   * The browsers of this worker that are open or being opened, also from its earlier starts: a database that failed
   * over may have lost that they were closed.
   */
  listOwn(): Promise<{ readonly id: string; readonly isOpen: boolean }[]>;
}
