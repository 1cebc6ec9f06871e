/// <reference lib="esnext.disposable" preserve="true" />
import type { Call, CallOptions } from "./call.ts";
import { BrowserNotFoundError } from "./generated/errors.ts";
import type { components } from "./generated/types.ts";
import { printedWithoutSecrets } from "./printed.ts";

/** The remote desktop of a browser that has a window, and the ways to it. A log shows it without ids and passwords. */
export type Desktop = Readonly<
  Pick<components["schemas"]["StartRemoteDesktopResult"], "url" | "rfbUrl" | "password" | "viewPassword">
>;

/**
 * An open browser. `await using` closes it at the end of its scope; otherwise `close()` does, or the service when nobody
 * has been connected for as long as `keepOpen` says.
 */
export class RemoteBrowser implements AsyncDisposable {
  // Private to the language, so that no log that prints a browser shows its address.
  readonly #address: string;
  readonly #call: Call;
  #isClosed = false;

  /** @internal A client makes these. */
  constructor(address: string, call: Call) {
    this.#address = address;
    this.#call = call;
  }

  /**
   * The WebSocket URL that Puppeteer's `connect`, Playwright's `connectOverCDP` and every DevTools client take. It is a
   * secret: whoever has it drives the browser.
   */
  get address(): string {
    return this.#address;
  }

  /** Closes the browser, with all its pages. It is no error when it has ended already, and closing twice is fine. */
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
   * Starts the remote desktop; one that is started already stays as it is, with the same passwords.
   * @throws {DesktopUnavailableError} For a headless browser, which has no screen.
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
