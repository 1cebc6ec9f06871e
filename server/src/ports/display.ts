import type { Socket } from "node:net";
import type { ViewerPasswords } from "../domain/browser/desktop.ts";
import type { Size } from "../domain/browser/screen.ts";
import type { Sandbox } from "./sandboxes.ts";

export type Picture = {
  readonly type: "image/png" | "image/jpeg";
  readonly bytes: Uint8Array;
};

/** A picture of at most `THUMBNAIL_PIXELS` in width and height. */
export type Thumbnail = Picture;

export type DatedThumbnail = Thumbnail & { readonly takenAt: Date };

export const THUMBNAIL_PIXELS = 640;

/** The X11 class of programs whose main windows fill the screen unless the program sets another size. */
export const FULL_WINDOWS = "full-windows";

/** A display's interface for viewers. */
export interface Screen {
  /**
   * Replaces the passwords for new viewers. Existing viewers remain connected.
   * @param passwords Undefined: the display refuses all passwords.
   */
  setPasswords(passwords: ViewerPasswords | undefined): Promise<void>;
  /**
   * Connects to the screen's RFB server; the caller owns the socket.
   * @throws {Error} If the screen refuses the connection; `signal.reason` if the signal is aborted.
   */
  connect(signal: AbortSignal): Promise<Socket>;
}

/** A display for one browser's windows. Disposing ends the display, and never throws. */
export interface Display extends Screen, AsyncDisposable {
  /** Environment variables for programs that use the display. Programs that start early wait until it is ready. */
  readonly environment: Readonly<Record<string, string>>;
  /**
   * Resolves once the display can show windows.
   * @throws {Failure} `BrowserUnavailable` if the display doesn't start, with the tail of its log in the cause.
   * @throws {unknown} The reason of the signal passed to `start`, if that signal is aborted.
   */
  readonly ready: Promise<void>;
  /** Resolves when the display has ended, whether disposed or not; never rejects. */
  readonly gone: Promise<void>;
  /**
   * Captures the screen, undetected by the programs on it. `setPasswords` waits until the capture has logged in.
   * @throws {Error} If the capture fails; `signal.reason` if the signal is aborted. If the screen hangs, only the
   * signal ends the wait.
   */
  takeThumbnail(signal: AbortSignal): Promise<Thumbnail>;
  /** Captures the screen at full size. Otherwise like `takeThumbnail`. */
  takeScreenshot(signal: AbortSignal): Promise<Picture>;
  /**
   * Resizes the screen and all windows on it, in device pixels, even below the windows' minimum size. Call it only once
   * the display is ready.
   * @throws {Error} If resizing fails; `signal.reason` if the signal is aborted.
   */
  resize(size: Size, signal: AbortSignal): Promise<void>;
}

export interface Displays {
  /** Starts a display. Resolves once programs that use the display can start. @throws {Failure} Like `ready`. */
  start(sandbox: Sandbox, signal: AbortSignal): Promise<Display>;
}
