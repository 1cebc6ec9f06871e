/// <reference lib="esnext.disposable" preserve="true" />
import type { Call, CallOptions } from "./call.ts";
import { BrowserNotFoundError } from "./generated/errors.ts";
import type { components } from "./generated/types.ts";
import { printedWithoutSecrets } from "./printed.ts";

/** The URLs and passwords of a browser's remote desktop. Logs show it without ids and passwords. */
export type Desktop = Readonly<
  Pick<components["schemas"]["StartRemoteDesktopResult"], "url" | "rfbUrl" | "password" | "viewPassword">
>;

/**
 * An open browser. Close it with `await using` or `close()`. Otherwise the service closes it after no client has been
 * connected for the `keepOpen` period.
 */
export class RemoteBrowser implements AsyncDisposable {
  // A private field, so that printing a browser doesn't show its address.
  readonly #address: string;
  readonly #call: Call;
  #isClosed = false;

  /** @internal Clients create these. */
  constructor(address: string, call: Call) {
    this.#address = address;
    this.#call = call;
  }

  /**
   * The WebSocket URL for Puppeteer's `connect`, Playwright's `connectOverCDP` and any DevTools client. Keep it secret:
   * it gives full control of the browser.
   */
  get address(): string {
    return this.#address;
  }

  /** Closes the browser and all its pages. Succeeds when the browser has already ended, so you can close it twice. */
  async close(options: CallOptions = {}): Promise<void> {
    if (this.#isClosed) return;
    try {
      await this.#call("closeBrowser", { address: this.#address }, options);
    } catch (error) {
      if (!(error instanceof BrowserNotFoundError)) throw error;
    }
    this.#isClosed = true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /**
   * Starts the remote desktop. If it is already running, it keeps running, with the same passwords.
   * @throws {DesktopUnavailableError} When the browser is headless, so it has no screen.
   */
  async startDesktop(options: CallOptions = {}): Promise<Desktop> {
    const { url, rfbUrl, password, viewPassword } = await this.#call(
      "startRemoteDesktop",
      { address: this.#address },
      options,
    );
    return printedWithoutSecrets({ url, rfbUrl, password, viewPassword }, ["password", "viewPassword"]);
  }

  /** Stops the remote desktop: viewers are disconnected, and both passwords stop working. The browser stays open. */
  async stopDesktop(options: CallOptions = {}): Promise<void> {
    await this.#call("stopRemoteDesktop", { address: this.#address }, options);
  }
}
