import type { Socket } from "node:net";
import type { BrowserBounds } from "../domain/machine/bounds.ts";
import type { BrowserKind, Installed } from "../domain/browser/browser-kind.ts";
import type { LaunchOptions } from "../domain/browser/open-options.ts";
import type { Size } from "../domain/browser/screen.ts";
import type { UpstreamProxy } from "../domain/network/upstream-proxy.ts";
import type { Picture, Screen, Thumbnail } from "./display.ts";
import type { Traffic } from "./egress.ts";

export type BrowserSpec = LaunchOptions & {
  /** Appears in logs, folder names and process titles; not a secret. */
  readonly id: string;
  /** Undefined: the browser connects directly. "nowhere": all traffic is refused until the browser is rerouted. */
  readonly proxy: UpstreamProxy | "nowhere" | undefined;
  /** The account that uses the browser; undefined if not known yet. */
  readonly account?: string | undefined;
};

/** How a browser ended if it wasn't disposed. `memory`: it exceeded its memory or process limit. */
export type BrowserExit = "exited" | "crashed" | "hung" | "memory";

/** A running browser. Disposing closes the browser in any state, and never throws. Disposing again has no effect. */
export interface HostedBrowser extends AsyncDisposable {
  /** The `id` from the browser's spec. */
  readonly id: string;
  /** The DevTools path that the browser reports: `/devtools/browser/<guid>`. */
  readonly devtoolsPath: string;
  /**
   * Connects to the browser's DevTools HTTP server. The caller writes the upgrade request and owns the socket.
   * @throws {Error} If the browser doesn't accept the connection.
   */
  connect(signal: AbortSignal): Promise<Socket>;
  /** The screen that shows the browser's windows; undefined for headless browsers. */
  readonly screen: Screen | undefined;
  /**
   * Captures the screen, or a headless browser's front page. Pages, clients and viewers can't detect the capture. Calls
   * may overlap.
   * @returns The thumbnail, within a few seconds even if the pages are busy.
   * @throws {Error} If the browser shows no page, hangs or has ended; `signal.reason` if the signal is aborted.
   * Releases all resources before throwing.
   */
  takeThumbnail(signal: AbortSignal): Promise<Thumbnail>;
  /**
   * Captures the browser like `takeThumbnail`, but at full size, in device pixels.
   * @throws {Failure} `BrowserUnavailable` if the browser shows no page. @throws {Error} Like `takeThumbnail`.
   */
  takeScreenshot(signal: AbortSignal): Promise<Picture>;
  /**
   * Sets the size of the first page in CSS pixels, and resizes its window and screen to fit. Call it before clients
   * connect.
   * @throws {Failure} `BadRequest` if this size is impossible, `BrowserUnavailable` if resizing takes longer than 20 s.
   * @throws {unknown} `signal.reason`.
   */
  resizePage(size: Size, signal: AbortSignal): Promise<void>;
  /**
   * Switches the browser's traffic to this proxy, or to direct connections if undefined, and closes existing
   * connections. Proxy errors surface only in the browser's requests.
   */
  reroute(proxy: UpstreamProxy | undefined): void;
  /** Assigns the browser to an account. CPU time is shared equally between accounts. */
  assign(account: string): void;
  /** Whether a different version has been installed since the browser started. */
  isOutdated(): boolean;
  /** The bytes sent to and received from the network so far. */
  traffic(): Traffic;
  /** Resolves when the browser has ended without being disposed; never rejects. */
  readonly gone: Promise<BrowserExit>;
}

/** Starts browsers, and closes them all when disposed. */
export interface BrowserHost extends Installed, AsyncDisposable {
  /** Returns the build date of a kind's installed version; undefined if unknown. */
  readonly builtAt?: ((kind: BrowserKind) => Date | undefined) | undefined;
  /** The resource limits of each browser; undefined: no limits. */
  readonly bounds?: BrowserBounds | undefined;
  /** Resolves when all browsers have ended and no more can start; undefined if that can't happen. */
  readonly failed?: Promise<Error> | undefined;
  /**
   * Starts a browser. Resolves once it responds to DevTools. A failed start releases all resources before it rejects.
   * @param signal Cancels the start, which then rejects with `signal.reason`.
   * @throws {Failure} `BrowserUnavailable`, with the tail of the browser's own log in its cause.
   */
  launch(spec: BrowserSpec, signal: AbortSignal): Promise<HostedBrowser>;
}
