import type { Socket } from "node:net";
import type { ViewerPasswords } from "../domain/browser/desktop.ts";
import type { Sandbox } from "./sandboxes.ts";

/** A small image of what a browser shows. */
export type Thumbnail = {
  readonly type: "image/png" | "image/jpeg";
  readonly bytes: Uint8Array;
};

/** The maximum width and height of a thumbnail. */
export const THUMBNAIL_PIXELS = 640;

/** A screen as viewers reach it. */
export interface Screen {
  /**
   * Lets viewers in who know one of these passwords, and nobody with an earlier one; undefined: nobody at all. Those who
   * are in stay.
   */
  setPasswords(passwords: ViewerPasswords | undefined): Promise<void>;
  /**
   * Connects to its RFB server; the caller owns the socket.
   * @throws {Error} When the screen does not take the connection; `signal.reason` when that is aborted.
   */
  connect(signal: AbortSignal): Promise<Socket>;
}

/** A screen that a browser shows its windows on. Disposing takes it away; never throws. */
export interface Display extends Screen, AsyncDisposable {
  /** What a program needs in its environment to find it. */
  readonly environment: Readonly<Record<string, string>>;
  /** Resolves when the screen is gone, disposed or not; never rejects. */
  readonly gone: Promise<void>;
  /**
   * What the screen shows now. Programs on it don't notice, and those who may come in stay the same: who is admitted
   * meanwhile waits until the taker has been let in.
   * @throws {Error} When the screen does not show itself; `signal.reason` when that is aborted. Nothing else ends the wait
   *   for one that hangs.
   */
  takeThumbnail(signal: AbortSignal): Promise<Thumbnail>;
}

export interface Displays {
  /**
   * Resolves once the screen takes windows.
   * @throws {Failure} `BrowserUnavailable` when it does not start, with the tail of its log in its cause.
   *   `signal.reason` when that is aborted.
   */
  open(cell: Sandbox, signal: AbortSignal): Promise<Display>;
}
