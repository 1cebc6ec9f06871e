import type { Socket } from "node:net";
import { withTimeout } from "../../concurrency/abortable.ts";
import type { BrowserExit, HostedBrowser } from "../../ports/browser-host.ts";
import type { Clock } from "../../ports/clock.ts";
import type { UpstreamProxy } from "../../domain/network/upstream-proxy.ts";
import type { Display, Thumbnail } from "../../ports/display.ts";
import type { EgressProxy, Traffic } from "../../ports/egress.ts";
import type { Sandbox, SandboxProcess } from "../../ports/sandboxes.ts";
import { takeFrame } from "./screencast.ts";
import { type WatchdogLimits, watch } from "./watchdog.ts";

/** Time allowed for a picture, in ms: it takes a quarter of a second on a busy machine. */
const PICTURE_TIMEOUT_MS = 5000;

type Parts = {
  readonly id: string;
  readonly devtoolsPath: string;
  readonly cell: Sandbox;
  readonly process: SandboxProcess;
  readonly way: EgressProxy;
  /** Undefined for headless ones. */
  readonly display: Display | undefined;
  /** All of the above, and whatever else to give back. */
  readonly resources: AsyncDisposableStack;
  readonly clock: Clock;
  readonly watchdog: WatchdogLimits;
};

/** A Chromium that answers, and everything it holds. */
export class RunningBrowser implements HostedBrowser {
  readonly id: string;
  readonly devtoolsPath: string;
  readonly gone: Promise<BrowserExit>;
  readonly screen: Display | undefined;
  readonly #parts: Parts;
  readonly #unwatch: () => void;
  /** Aborted when it ends: nobody waits for what is gone. */
  readonly #over = new AbortController();
  #ending: Promise<void> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.id = parts.id;
    this.devtoolsPath = parts.devtoolsPath;
    this.screen = parts.display;
    const { promise, resolve } = Promise.withResolvers<BrowserExit>();
    this.gone = promise;
    const leave = (exit: BrowserExit): void => {
      this.#unwatch();
      if (this.#ending === undefined) resolve(exit);
    };
    this.#unwatch = watch(
      (signal) => this.connect(signal),
      parts.clock,
      parts.watchdog,
      () => leave("hung"),
    );
    void parts.process.ended.then(async ({ code }) => {
      // A browser that loses its screen exits as if it had been asked to, often before the screen is known to be gone.
      leave(code === 0 && (await hasScreen(parts.display)) ? "exited" : "crashed");
    });
    void parts.display?.gone.then(() => leave("crashed"));
  }

  connect(signal: AbortSignal): Promise<Socket> {
    return this.#parts.cell.connect(signal);
  }

  async takeThumbnail(signal: AbortSignal): Promise<Thumbnail> {
    const { clock, display } = this.#parts;
    const limit = {
      timeoutMs: PICTURE_TIMEOUT_MS,
      clock,
      toError: () => new Error(`There was no picture in ${PICTURE_TIMEOUT_MS} ms.`),
      signal: AbortSignal.any([signal, this.#over.signal]),
    };
    return withTimeout(
      limit,
      (wanted) => display?.takeThumbnail(wanted) ?? takeFrame((connecting) => this.connect(connecting), wanted),
    );
  }

  reroute(proxy: UpstreamProxy | undefined): void {
    this.#parts.way.reroute(proxy);
  }

  traffic(): Traffic {
    return this.#parts.way.traffic();
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

/** Whether the screen takes connections; a headless browser can't lose one. */
async function hasScreen(display: Display | undefined): Promise<boolean> {
  if (display === undefined) return true;
  try {
    (await display.connect(new AbortController().signal)).destroy();
    return true;
  } catch {
    return false;
  }
}
