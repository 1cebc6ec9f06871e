import { type BrowserRecord, toBrowserRecord } from "./browser-record.ts";
import type { Call, CallOptions } from "./call.ts";
import { BrowserNotFoundError } from "./generated/errors.ts";
import { UPDATE_OPTIONS, type UpdateOptions } from "./generated/options.ts";
import type { components } from "./generated/types.ts";
import { INSPECT, printedWithoutSecrets } from "./printed.ts";
import { withoutIds } from "./secrets.ts";
import { type Screenshot, toScreenshot } from "./screenshot.ts";
import { type ClosedOptions, waitUntilClosed } from "./wait-until-closed.ts";
import { toWire } from "./wire-options.ts";

/** The URLs and passwords of a browser's remote desktop. Logging a desktop hides the ids and passwords. */
export type Desktop = Readonly<
  Pick<components["schemas"]["StartRemoteDesktopResult"], "url" | "rfbUrl" | "password" | "viewPassword">
>;

/** A browser's address, its id, or both. */
export type Known =
  | { readonly address: string; readonly id?: string | undefined }
  | { readonly id: string; readonly address?: undefined };

type Reference = { readonly address: string } | { readonly id: string };

/** The client members that browser handles use. */
export type Service = {
  readonly call: Call;
  /** Maximum time that one request may wait for a browser to end, in seconds. */
  readonly longestWaitS: number;
};

/** Controls a browser without a DevTools connection. */
export class BrowserHandle {
  // Private, so that printing a handle doesn't show the address.
  readonly #byAddress: Reference;
  readonly #byId: Reference;
  readonly #service: Service;
  #isClosed = false;

  /** @internal Only clients create handles. */
  constructor(known: Known, service: Service) {
    // Every contract version accepts addresses.
    this.#byAddress = known.address === undefined ? { id: known.id } : { address: known.address };
    // Unlike an address, an id also identifies an ended browser.
    this.#byId = known.id === undefined ? this.#byAddress : { id: known.id };
    this.#service = service;
  }

  /** Closes the browser and its pages. Succeeds if the browser has already ended. */
  async close(options: CallOptions = {}): Promise<void> {
    if (this.#isClosed) return;
    try {
      await this.#service.call("closeBrowser", this.#byAddress, options);
    } catch (error) {
      if (!(error instanceof BrowserNotFoundError)) throw error;
    }
    this.#isClosed = true;
  }

  /**
   * Returns the record of an open or ended browser: its state, the reason why it ended, and its usage.
   * @throws {BrowserNotFoundError} If the service no longer keeps the ended browser's record.
   * @throws {NotFoundError} If the service has contract version 1.0. All methods that require 1.1 throw this error.
   */
  async info(options: CallOptions = {}): Promise<BrowserRecord> {
    return toBrowserRecord(await this.#service.call("getBrowserInfo", this.#byId, options));
  }

  /**
   * Changes the inactivity period, the lifetime (both in **seconds**), the label or the tags of an open browser.
   * Requires contract version 1.1.
   * @returns The browser's record with the new values.
   * @throws {BrowserNotFoundError} If the browser has ended.
   */
  async update(changes: UpdateOptions, options: CallOptions = {}): Promise<BrowserRecord> {
    const body = { ...this.#byId, ...toWire(UPDATE_OPTIONS, changes) };
    return toBrowserRecord(await this.#service.call("updateBrowser", body, options));
  }

  /**
   * Waits until the browser has ended. Waiting requires contract version 1.1 but no DevTools connection, and doesn't
   * keep the browser open.
   * @returns The reason, such as `requested`, `inactive`, `lifetime` or `crashed`. Later versions may add reasons.
   * @throws {TimeoutError} If the browser is still open after `timeoutMs`. By default, there is no limit.
   * @throws {BrowserNotFoundError} If the service no longer keeps the ended browser's record.
   */
  async closed(options: ClosedOptions = {}): Promise<string> {
    const { call, longestWaitS } = this.#service;
    return waitUntilClosed(call, longestWaitS, this.#byId, options);
  }

  /**
   * Takes a screenshot of an open browser: the whole screen or, if the browser is headless, the visible part of the
   * front page. Pages and clients can't detect the screenshot. Requires contract version 1.1.
   * @throws {BrowserNotFoundError} If the browser has ended.
   * @throws {BrowserUnavailableError} If the service can't take a screenshot, for example because the browser shows no
   * page.
   */
  async screenshot(options: CallOptions = {}): Promise<Screenshot> {
    return toScreenshot(await this.#service.call("takeScreenshot", this.#byId, options));
  }

  /**
   * Returns the bytes of the same picture as a PNG or JPEG file. This is a preview, which services may lack and later
   * versions may change.
   * @throws {NotFoundError} If the service doesn't offer this preview.
   */
  async screenshotImage(options: CallOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
    const id = "id" in this.#byId ? this.#byId.id : (await this.info(options)).id;
    return this.#service.call("takeScreenshotImage", { id }, options);
  }

  /**
   * Starts the remote desktop. If the desktop is already running, its URLs and passwords don't change.
   * @throws {DesktopUnavailableError} If the browser is headless.
   */
  async startDesktop(options: CallOptions = {}): Promise<Desktop> {
    const { call } = this.#service;
    const { url, rfbUrl, password, viewPassword } = await call("startRemoteDesktop", this.#byAddress, options);
    return printedWithoutSecrets({ url, rfbUrl, password, viewPassword }, ["password", "viewPassword"]);
  }

  /** Stops the remote desktop, disconnects its viewers and invalidates its passwords. The browser remains open. */
  async stopDesktop(options: CallOptions = {}): Promise<void> {
    await this.#service.call("stopRemoteDesktop", this.#byAddress, options);
  }

  /** @internal */
  [INSPECT](): string {
    const id = "id" in this.#byId ? ` { id: ${JSON.stringify(withoutIds(this.#byId.id))} }` : " {}";
    return this.constructor.name + id;
  }
}
