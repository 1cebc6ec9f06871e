/// <reference lib="esnext.disposable" preserve="true" />
import { BrowserHandle, type Service } from "./browser-handle.ts";

/**
 * An open browser. Close it with `await using` or `close()`. Otherwise, the service closes the browser after it has had
 * no connection for the `keepOpen` period.
 */
export class RemoteBrowser extends BrowserHandle implements AsyncDisposable {
  // Private, so that printing a browser doesn't show its address.
  readonly #address: string;
  readonly #id: string | undefined;

  /** @internal Called only by clients. */
  constructor(known: { readonly address: string; readonly id?: string | undefined }, service: Service) {
    super(known, service);
    this.#address = known.address;
    this.#id = known.id;
  }

  /**
   * The WebSocket URL for Puppeteer's `connect`, Playwright's `connectOverCDP` and any other DevTools client. Treat the
   * address as a secret: anyone who has it can control the browser.
   */
  get address(): string {
    return this.#address;
  }

  /**
   * Identifies the browser in the history and in logs. The id is not a secret. Undefined if the handle was created from
   * an address, or if the service has contract version 1.0.
   */
  get id(): string | undefined {
    return this.#id;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
