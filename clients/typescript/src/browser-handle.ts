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

/** The URLs and passwords of a browser's remote desktop. Logs show it without ids and passwords. */
export type Desktop = Readonly<
  Pick<components["schemas"]["StartRemoteDesktopResult"], "url" | "rfbUrl" | "password" | "viewPassword">
>;

/** What is known of a browser: its address, its id, or both. */
export type Known =
  | { readonly address: string; readonly id?: string | undefined }
  | { readonly id: string; readonly address?: undefined };

type Reference = { readonly address: string } | { readonly id: string };

/** What handles need of their client. */
export type Service = {
  readonly call: Call;
  /** How long one request may wait for a browser to end, in seconds. */
  readonly longestWaitS: number;
};

/** A browser, to which you can do everything that needs no DevTools connection. */
export class BrowserHandle {
  // Private fields, so that printing a handle doesn't show the address.
  readonly #byAddress: Reference;
  readonly #byId: Reference;
  readonly #service: Service;
  #isClosed = false;

  /** @internal Clients create these. */
  constructor(known: Known, service: Service) {
    // Services of every version know addresses.
    this.#byAddress = known.address === undefined ? { id: known.id } : { address: known.address };
    // An id also refers to a browser that has ended.
    this.#byId = known.id === undefined ? this.#byAddress : { id: known.id };
    this.#service = service;
  }

  /** Closes the browser and all its pages. Succeeds when the browser has already ended, so you can close it twice. */
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
   * Shows the browser, open or ended: its state, why it ended, and what it has consumed.
   * @throws {BrowserNotFoundError} When the service doesn't keep the record of the ended browser any more.
   * @throws {NotFoundError} When the service has contract version 1.0, as all methods for versions since.
   */
  async info(options: CallOptions = {}): Promise<BrowserRecord> {
    return toBrowserRecord(await this.#service.call("getBrowserInfo", this.#byId, options));
  }

  /**
   * Changes the inactivity period, the lifetime (both in **seconds**), the label or the tags of the open browser. Needs
   * contract version 1.1.
   * @returns The browser with its new values.
   * @throws {BrowserNotFoundError} When the browser has ended.
   */
  async update(changes: UpdateOptions, options: CallOptions = {}): Promise<BrowserRecord> {
    const body = { ...this.#byId, ...toWire(UPDATE_OPTIONS, changes) };
    return toBrowserRecord(await this.#service.call("updateBrowser", body, options));
  }

  /**
   * Waits until the browser has ended, for whatever reason. Needs contract version 1.1, but no DevTools connection, and
   * doesn't keep the browser open.
   * @returns The reason, such as `requested`, `inactive`, `lifetime` or `crashed`. Later versions may add values.
   * @throws {TimeoutError} When it is still open after `timeoutMs`, which by default is not limited.
   * @throws {BrowserNotFoundError} When the service doesn't keep the record of the ended browser any more.
   */
  async closed(options: ClosedOptions = {}): Promise<string> {
    const { call, longestWaitS } = this.#service;
    return waitUntilClosed(call, longestWaitS, this.#byId, options);
  }

  /**
   * Takes a picture of what the open browser shows now: the whole screen of a browser with a graphical interface, and
   * the visible part of the front page of a headless one. Its pages and clients don't notice it. Needs contract version
   * 1.1.
   * @throws {BrowserNotFoundError} When the browser has ended.
   * @throws {BrowserUnavailableError} When no picture can be taken, for example because the browser shows no page.
   */
  async screenshot(options: CallOptions = {}): Promise<Screenshot> {
    return toScreenshot(await this.#service.call("takeScreenshot", this.#byId, options));
  }

  /**
   * Starts the remote desktop. If it is already running, it keeps running, with the same passwords.
   * @throws {DesktopUnavailableError} When the browser is headless, so it has no screen.
   */
  async startDesktop(options: CallOptions = {}): Promise<Desktop> {
    const { call } = this.#service;
    const { url, rfbUrl, password, viewPassword } = await call("startRemoteDesktop", this.#byAddress, options);
    return printedWithoutSecrets({ url, rfbUrl, password, viewPassword }, ["password", "viewPassword"]);
  }

  /** Stops the remote desktop: viewers are disconnected, and both passwords stop working. The browser stays open. */
  async stopDesktop(options: CallOptions = {}): Promise<void> {
    await this.#service.call("stopRemoteDesktop", this.#byAddress, options);
  }

  /** @internal */
  [INSPECT](): string {
    const id = "id" in this.#byId ? ` { id: ${JSON.stringify(withoutIds(this.#byId.id))} }` : " {}";
    return this.constructor.name + id;
  }
}
