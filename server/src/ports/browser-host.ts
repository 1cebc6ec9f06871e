import type { Socket } from "node:net";
import type { BrowserBounds } from "../domain/machine/bounds.ts";
import type { BrowserKind, Installed } from "../domain/browser/browser-kind.ts";
import type { LaunchOptions } from "../domain/browser/open-options.ts";
import type { Size } from "../domain/browser/screen.ts";
import type { UpstreamProxy } from "../domain/network/upstream-proxy.ts";
import type { Picture, Screen, Thumbnail } from "./display.ts";
import type { Traffic } from "./egress.ts";

/** What a host needs to start one browser. */
export type BrowserSpec = LaunchOptions & {
  /** Names the browser in logs, folders and process titles; not a secret. */
  readonly id: string;
  /** Undefined: traffic goes out directly. "nowhere": all traffic is refused until the browser is rerouted. */
  readonly proxy: UpstreamProxy | "nowhere" | undefined;
  /** The account that uses it; undefined: not known yet. */
  readonly account?: string | undefined;
};

/** How a browser ended without being disposed. `memory`: it used more memory or processes than it may. */
export type BrowserExit = "exited" | "crashed" | "hung" | "memory";

/** A running browser. Disposing it ends it in any state, and never throws. Disposing it again has no effect. */
export interface HostedBrowser extends AsyncDisposable {
  /** The `id` of its spec. */
  readonly id: string;
  /** The path of its DevTools endpoint as the browser itself reports it: `/devtools/browser/<guid>`. */
  readonly devtoolsPath: string;
  /**
   * Connects to its DevTools HTTP server. The caller writes the upgrade request and owns the socket.
   * @throws {Error} If the browser does not accept the connection.
   */
  connect(signal: AbortSignal): Promise<Socket>;
  /** The screen its windows are on; undefined for headless browsers. */
  readonly screen: Screen | undefined;
  /**
   * Captures the screen, or the front page of a headless browser. Pages, clients and viewers can't notice. May be
   * called at any time, even while another call is running.
   * @returns Within a few seconds, even if its pages are busy.
   * @throws {Error} If the browser shows no page, hangs or has ended; `signal.reason` if the signal is aborted.
   * Releases
   *   everything first.
   */
  takeThumbnail(signal: AbortSignal): Promise<Thumbnail>;
  /**
   * Captures it like `takeThumbnail`, in full size: in device pixels.
   * @throws {Failure} `BrowserUnavailable` if the browser shows no page. @throws {Error} As `takeThumbnail`.
   */
  takeScreenshot(signal: AbortSignal): Promise<Picture>;
  /**
   * Gives its first page a size in CSS pixels, and its window and screen sizes that fit. Call it before clients
   * connect.
   * @throws {Failure} `BadRequest` if it can't have this size, `BrowserUnavailable` if it doesn't get it within 20 s.
   * @throws {unknown} `signal.reason`.
   */
  resizePage(size: Size, signal: AbortSignal): Promise<void>;
  /**
   * From now on, sends its traffic through this proxy, or directly, and closes existing connections. Problems with the
   * proxy appear only in the browser's requests.
   */
  reroute(proxy: UpstreamProxy | undefined): void;
  /** Says which account uses it from now on. Accounts get equal shares of the processors. */
  assign(account: string): void;
  /** Whether another version has been installed since it started. */
  isOutdated(): boolean;
  /** The bytes it has sent to and received from the network so far. */
  traffic(): Traffic;
  /** Resolves when the browser has ended without being disposed; never rejects. */
  readonly gone: Promise<BrowserExit>;
}

/** Starts browsers. Disposing ends all of them. */
export interface BrowserHost extends Installed, AsyncDisposable {
  /** Returns when the installed version of a kind was built; undefined if that is not known. */
  readonly builtAt?: ((kind: BrowserKind) => Date | undefined) | undefined;
  /** What each browser may use; undefined: as much as it wants. */
  readonly bounds?: BrowserBounds | undefined;
  /**
   * Resolves when the host can't start browsers any more and all of them have ended; undefined if that can't happen.
   */
  readonly failed?: Promise<Error> | undefined;
  /**
   * Resolves once the browser answers DevTools commands. If the start fails, releases everything before the promise
   * rejects.
   * @param signal Cancels the start, which then rejects with `signal.reason`.
   * @throws {Failure} `BrowserUnavailable`, with the tail of the browser's own log in its cause.
   */
  launch(spec: BrowserSpec, signal: AbortSignal): Promise<HostedBrowser>;
}
