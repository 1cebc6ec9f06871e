import type { Account } from "../../domain/account/account.ts";
import type { OpenOptions } from "../../domain/browser/open-options.ts";
import type { Fleet } from "../fleet.ts";

/** An Open request that a front-end has admitted, and that a worker is to serve. */
export type PlacedOpen = {
  readonly browserId: string;
  /** Which attempt to open this browser it is. The store accepts the browser of the last one only. */
  readonly attempt: number;
  readonly account: Account;
  readonly options: OpenOptions;
  /** What the address begins with: an http(s) URL. A worker with a public URL of its own uses that. */
  readonly base: URL;
  /** How long the browser may take to start, in ms. */
  readonly maxMs: number;
};

/** How a worker answers an Open. */
export type OpenAnswer =
  | { readonly is: "opened"; readonly address: string }
  /** It hasn't tried, and another worker may be able to: it is full, or stops, or doesn't have this kind of browser. */
  | { readonly is: "refused" };

/** What a worker does with browsers when its process is asked, as `Fleet` does it for all workers. */
type BrowserCalls = Omit<Fleet, "openBrowser" | "list" | "listAll" | "listRecent" | "findRecent">;

/**
 * What front-ends ask of one worker. Arguments and results are plain values, `Date`s, `URL`s and bytes; the last
 * argument may be a signal, which ends the call.
 *
 * Each call rejects with the `Failure` that the worker gave, or with `WorkerUnreachable`.
 */
export interface WorkerCalls extends BrowserCalls {
  /** Opens a browser. When the signal is aborted or the caller is lost, the browser is undone. */
  openPlaced(open: PlacedOpen, signal: AbortSignal): Promise<OpenAnswer>;
  /**
   * The caller of Open has its address, or gets it now. A browser without that, and without a client, is undone after
   * 30 s.
   * @returns False if it is being undone, or isn't there. Workers before this result return nothing.
   */
  acknowledge(browserId: string): Promise<boolean | undefined>;
  /** Does nothing. An answer shows that this front-end can make calls to the worker. */
  ping(): Promise<void>;
  /** Whether a started desktop has this key in its URLs. The key is a secret. */
  hasDesktop(key: string): Promise<boolean>;
}

type UnreachableOptions = ErrorOptions & { readonly isOutcomeUnknown: boolean; readonly isMisdirected?: boolean };

/** A worker didn't answer a call. */
export class WorkerUnreachable extends Error {
  override readonly name = "WorkerUnreachable";
  /** Whether the worker may have got the call, so that it may have taken effect, or still will. */
  readonly isOutcomeUnknown: boolean;
  /** Whether another worker got the call, or another start of the worker. It has refused it. */
  readonly isMisdirected: boolean;

  constructor(message: string, { isOutcomeUnknown, isMisdirected = false, cause }: UnreachableOptions) {
    super(message, { cause });
    this.isOutcomeUnknown = isOutcomeUnknown;
    this.isMisdirected = isMisdirected;
  }
}

/** A worker, and where front-ends reach it. */
export type WorkerAddress = {
  readonly id: string;
  readonly url: string;
  /** The start that gets the browsers of `openPlaced`. */
  readonly instance: string;
};

/** Calls workers, after they have proven who they are. Disposing ends the idle connections. */
export interface WorkerClient extends AsyncDisposable {
  at(worker: WorkerAddress): WorkerCalls;
  /**
   * Makes sure that the worker's URL leads to it. Asks it once for each URL.
   * @throws {WorkerUnreachable} If it doesn't; `signal.reason` when the signal is aborted.
   */
  verify(worker: WorkerAddress, signal: AbortSignal): Promise<void>;
}
