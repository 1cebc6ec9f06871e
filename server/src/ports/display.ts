import type { Socket } from "node:net";
import type { ViewerPasswords } from "../domain/browser/desktop.ts";
import type { Size } from "../domain/browser/screen.ts";
import type { Sandbox } from "./sandboxes.ts";

/** An image of what a browser shows. */
export type Picture = {
  readonly type: "image/png" | "image/jpeg";
  readonly bytes: Uint8Array;
};

/** A picture of at most `THUMBNAIL_PIXELS` in width and height. */
export type Thumbnail = Picture;

/** A thumbnail and when it was captured. */
export type DatedThumbnail = Thumbnail & { readonly takenAt: Date };

/** The maximum width and height of a thumbnail. */
export const THUMBNAIL_PIXELS = 640;

/** The X11 class of a program whose main windows fill the screen, unless the program gives them another size. */
export const FULL_WINDOWS = "full-windows";

/** The part of a display that viewers use. */
export interface Screen {
  /**
   * Replaces the passwords for new viewers. Connected viewers stay connected.
   * @param passwords Undefined: the display refuses all passwords.
   */
  setPasswords(passwords: ViewerPasswords | undefined): Promise<void>;
  /**
   * Connects to the screen's RFB server; the caller owns the socket.
   * @throws {Error} If the screen refuses the connection; `signal.reason` if the signal is aborted.
   */
  connect(signal: AbortSignal): Promise<Socket>;
}

/** A display for one browser's windows. Disposing ends it; never throws. */
export interface Display extends Screen, AsyncDisposable {
  /** Environment variables for programs that use the display. They can start before it is ready: they wait for it. */
  readonly environment: Readonly<Record<string, string>>;
  /**
   * Resolves once it shows windows.
   * @throws {Failure} `BrowserUnavailable` when it does not start, with the tail of its log in its cause; the reason of
   * the
   *   signal that `start` got, if that is aborted.
   */
  readonly ready: Promise<void>;
  /** Resolves when the display has ended, disposed or not; never rejects. */
  readonly gone: Promise<void>;
  /**
   * Captures the screen. Programs on it don't notice. `setPasswords` waits until the capture has logged in.
   * @throws {Error} If that fails; `signal.reason` if the signal is aborted. Only the signal ends the wait for a screen
   *   that hangs.
   */
  takeThumbnail(signal: AbortSignal): Promise<Thumbnail>;
  /** Captures the screen in full size. Otherwise like `takeThumbnail`. */
  takeScreenshot(signal: AbortSignal): Promise<Picture>;
  /**
   * Gives the screen and all windows on it another size, in device pixels, even below the windows' own minimum. Call it
   * when the display is ready.
   * @throws {Error} If that fails; `signal.reason` if the signal is aborted.
   */
  resize(size: Size, signal: AbortSignal): Promise<void>;
}

export interface Displays {
  /**
   * Starts a display. Resolves as soon as programs that use it can start.
   * @throws {Failure} As `ready`.
   */
  start(sandbox: Sandbox, signal: AbortSignal): Promise<Display>;
}
