import type { Cell } from "./isolation.ts";

/** A screen that a browser shows its windows on. Disposing takes it away; never throws. */
export interface Display extends AsyncDisposable {
  /** What a program needs in its environment to find it. */
  readonly environment: Readonly<Record<string, string>>;
  /** Resolves when the screen is gone, disposed or not; never rejects. */
  readonly gone: Promise<void>;
}

export interface Displays {
  /**
   * Resolves once the screen takes windows.
   * @throws {Failure} `BrowserUnavailable` when it does not start, with the tail of its log in its cause.
   *   `signal.reason` when that is aborted.
   */
  open(cell: Cell, signal: AbortSignal): Promise<Display>;
}
