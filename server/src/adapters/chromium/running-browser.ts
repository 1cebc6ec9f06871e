import type { Socket } from "node:net";
import { withTimeout } from "../../concurrency/abortable.ts";
import type { BrowserExit, HostedBrowser } from "../../ports/browser-host.ts";
import type { Clock } from "../../ports/clock.ts";
import type { UpstreamProxy } from "../../domain/network/upstream-proxy.ts";
import type { Display, Thumbnail } from "../../ports/display.ts";
import type { EgressProxy, Traffic } from "../../ports/egress.ts";
import type { Sandbox, SandboxProcess } from "../../ports/sandboxes.ts";
import { captureFrontPage } from "./screencast.ts";
import { type WatchdogLimits, watch } from "./watchdog.ts";

/** Time allowed for a thumbnail, in ms. On a busy machine, capturing one takes 250 ms. */
const THUMBNAIL_TIMEOUT_MS = 5000;

type Parts = {
  readonly id: string;
  readonly devtoolsPath: string;
  readonly sandbox: Sandbox;
  readonly process: SandboxProcess;
  readonly proxy: EgressProxy;
  /** Undefined for headless browsers. */
  readonly display: Display | undefined;
  /** Owns all of the above. */
  readonly resources: AsyncDisposableStack;
  readonly clock: Clock;
  readonly watchdog: WatchdogLimits;
  readonly isOutdated: () => boolean;
};

/** A browser that answers DevTools commands, and everything that it owns. */
export class RunningBrowser implements HostedBrowser {
  readonly id: string;
  readonly devtoolsPath: string;
  readonly gone: Promise<BrowserExit>;
  readonly screen: Display | undefined;
  readonly #parts: Parts;
  readonly #resolveGone: (exit: BrowserExit) => void;
  #unwatch: () => void = () => {};
  /** Aborted when the browser is disposed, to end everything that waits for it. */
  readonly #over = new AbortController();
  #ending: Promise<void> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.id = parts.id;
    this.devtoolsPath = parts.devtoolsPath;
    this.screen = parts.display;
    const { promise, resolve } = Promise.withResolvers<BrowserExit>();
    this.gone = promise;
    this.#resolveGone = resolve;
  }

  /** Starts checking that the browser is still running and answering. */
  start(): void {
    const { clock, watchdog, process, display, sandbox } = this.#parts;
    const onGone = (exit: BrowserExit): void => {
      this.#unwatch();
      if (this.#ending === undefined) this.#resolveGone(sandbox.isOverMemory ? "memory" : exit);
    };
    this.#unwatch = watch(
      (signal) => this.connect(signal),
      clock,
      watchdog,
      () => onGone("hung"),
    );
    void process.ended.then(async ({ code }) => {
      // A browser that loses its display exits with code 0, often before the loss of the display is reported.
      onGone(code === 0 && (await hasDisplay(display)) ? "exited" : "crashed");
    });
    void display?.gone.then(() => onGone("crashed"));
  }

  connect(signal: AbortSignal): Promise<Socket> {
    return this.#parts.sandbox.connect(signal);
  }

  async takeThumbnail(signal: AbortSignal): Promise<Thumbnail> {
    const { clock, display } = this.#parts;
    const limit = {
      timeoutMs: THUMBNAIL_TIMEOUT_MS,
      clock,
      toError: () => new Error(`The browser did not send a thumbnail within ${THUMBNAIL_TIMEOUT_MS} ms.`),
      signal: AbortSignal.any([signal, this.#over.signal]),
    };
    return withTimeout(
      limit,
      (either) => display?.takeThumbnail(either) ?? captureFrontPage((connecting) => this.connect(connecting), either),
    );
  }

  reroute(proxy: UpstreamProxy | undefined): void {
    this.#parts.proxy.reroute(proxy);
  }

  assign(account: string): void {
    this.#parts.sandbox.assign(account);
  }

  isOutdated(): boolean {
    return this.#parts.isOutdated();
  }

  traffic(): Traffic {
    return this.#parts.proxy.traffic();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return (this.#ending ??= this.#end());
  }

  async #end(): Promise<void> {
    this.#unwatch();
    this.#over.abort(new Error("The browser has ended."));
    await this.#parts.resources.disposeAsync();
  }
}

/** Whether the display accepts connections; true for headless browsers, which have no display to lose. */
async function hasDisplay(display: Display | undefined): Promise<boolean> {
  if (display === undefined) return true;
  try {
    (await display.connect(new AbortController().signal)).destroy();
    return true;
  } catch {
    return false;
  }
}
