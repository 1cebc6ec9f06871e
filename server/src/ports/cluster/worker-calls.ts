import type { Account } from "../../domain/account/account.ts";
import type { OpenOptions } from "../../domain/browser/open-options.ts";
import type { Fleet } from "../fleet.ts";

/** An Open request that a front-end has admitted and assigned to a worker. */
export type PlacedOpen = {
  readonly browserId: string;
  /** The number of this attempt to open the browser. The store accepts only the latest attempt. */
  readonly attempt: number;
  readonly account: Account;
  readonly options: OpenOptions;
  /** The http(s) URL that the address begins with, unless the worker has its own public URL. */
  readonly base: URL;
  /** Maximum time for the browser to start, in ms. */
  readonly maxMs: number;
};

export type OpenAnswer =
  | { readonly is: "opened"; readonly address: string }
  /** The worker is full, is stopping or lacks this kind of browser. Nothing was attempted, so ask another worker. */
  | { readonly is: "refused" };

/** The methods of `Fleet` that a worker handles for its own browsers. */
type BrowserCalls = Omit<Fleet, "openBrowser" | "list" | "listAll" | "listRecent" | "findRecent">;

/**
 * The calls that front-ends send to one worker. Arguments and results are plain values, `Date`s, `URL`s and bytes. The
 * last argument may be a signal that cancels the call.
 *
 * Each call rejects with the worker's `Failure`, or with `WorkerUnreachable`.
 */
export interface WorkerCalls extends BrowserCalls {
  /** Opens a browser. If the signal is aborted or the caller is lost, the worker closes the browser without charge. */
  openPlaced(open: PlacedOpen, signal: AbortSignal): Promise<OpenAnswer>;
  /**
   * Confirms that the caller of Open receives the address. After 30 s without a confirmation or a client, the Open is
   * canceled.
   * @returns False if the browser is unknown or its Open is being canceled. Workers of earlier versions return nothing.
   */
  acknowledge(browserId: string): Promise<boolean | undefined>;
  /** Does nothing. Any response shows that this front-end can call the worker. */
  ping(): Promise<void>;
  /** Whether any started desktop uses this key in its URLs. The key is a secret. */
  hasDesktop(key: string): Promise<boolean>;
}

type UnreachableOptions = ErrorOptions & { readonly isOutcomeUnknown: boolean; readonly isMisdirected?: boolean };

export class WorkerUnreachable extends Error {
  override readonly name = "WorkerUnreachable";
  /** Whether the worker may have received the call. The call may then have taken effect, or may take effect later. */
  readonly isOutcomeUnknown: boolean;
  /** Whether a different worker, or another process of this worker, received and refused the call. */
  readonly isMisdirected: boolean;

  constructor(message: string, { isOutcomeUnknown, isMisdirected = false, cause }: UnreachableOptions) {
    super(message, { cause });
    this.isOutcomeUnknown = isOutcomeUnknown;
    this.isMisdirected = isMisdirected;
  }
}

export type WorkerAddress = {
  readonly id: string;
  readonly url: string;
  /** The process to which `openPlaced` assigns browsers. */
  readonly instance: string;
};

/** Calls workers once they have proven their identity. Disposing closes idle connections. */
export interface WorkerClient extends AsyncDisposable {
  at(worker: WorkerAddress): WorkerCalls;
  /**
   * Verifies that the worker's URL points to the worker. Sends one request per URL.
   * @throws {WorkerUnreachable} If the URL points elsewhere; `signal.reason` if the signal is aborted.
   */
  verify(worker: WorkerAddress, signal: AbortSignal): Promise<void>;
}
