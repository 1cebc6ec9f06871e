import type { Socket } from "node:net";
import type { BrowserKind } from "../domain/browser/browser-kind.ts";
import type { UpstreamProxy } from "../domain/network/upstream-proxy.ts";
import type { Screen } from "./display.ts";
import type { Traffic } from "./egress.ts";
import type { Picture } from "./picture.ts";

/** Everything a host needs to know to start one browser. */
export type BrowserSpec = {
  /** Names the browser in logs, folders and process titles; not a secret. */
  readonly id: string;
  readonly kind: BrowserKind;
  /** Always true for `chrome-headless-shell`. */
  readonly isHeadless: boolean;
  readonly isStealthy: boolean;
  /** Checked against the allow-list already, in the sender's order. */
  readonly switches: readonly string[];
  /** Names of default switches to leave out (`--lang`, no value); checked as well. */
  readonly ignoredSwitches: readonly string[];
  /** Undefined: traffic goes out directly. "nowhere": none goes out until the browser is rerouted. */
  readonly proxy: UpstreamProxy | "nowhere" | undefined;
};

/** What a host saw when a browser went away by itself. */
export type BrowserExit = "exited" | "crashed" | "hung";

/** A browser that runs. Disposing ends it, whatever state it is in; twice is safe, and it never throws. */
export interface HostedBrowser extends AsyncDisposable {
  /** Path of its DevTools endpoint as the browser itself spells it: `/devtools/browser/<guid>`. */
  readonly devtoolsPath: string;
  /**
   * Connects to its DevTools HTTP server; the caller writes the upgrade request and owns the socket.
   * @throws {Error} When the browser does not take the connection.
   */
  connect(signal: AbortSignal): Promise<Socket>;
  /** The screen its windows are on; undefined for headless ones. */
  readonly screen: Screen | undefined;
  /**
   * What it shows now: a graphical one its screen, a headless one the page in front. No page can notice, and what its
   * clients and viewers see and may do stays the same. May be called at any time, also twice at once.
   * @returns In a few seconds at most, whatever its pages do.
   * @throws {Error} When it shows nothing, hangs or is gone; nothing of the try is held then. `signal.reason` when that
   *   is aborted.
   */
  takePicture(signal: AbortSignal): Promise<Picture>;
  /**
   * Sends its traffic through this proxy from now on, or directly; connections made before are cut. What is wrong with
   * the proxy shows in the browser's requests only.
   */
  reroute(proxy: UpstreamProxy | undefined): void;
  /** What it has sent to and received from the network so far. */
  traffic(): Traffic;
  /** Resolves once, when the browser is gone without having been disposed; never rejects. */
  readonly gone: Promise<BrowserExit>;
}

/** A place where browsers run. Disposing it ends all of them. */
export interface BrowserHost extends AsyncDisposable {
  /** The kinds this machine has; opening another fails with `BrowserUnavailable`. */
  readonly kinds: ReadonlySet<BrowserKind>;
  /**
   * Resolves once the browser answers DevTools commands. Whatever was acquired is given back on every failure,
   * before the promise rejects.
   * @param signal Aborted when nobody wants the browser any more; then rejects with `signal.reason`.
   * @throws {Failure} `BrowserUnavailable`, with the tail of the browser's own log in its cause.
   */
  open(spec: BrowserSpec, signal: AbortSignal): Promise<HostedBrowser>;
}
