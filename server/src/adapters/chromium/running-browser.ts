import type { Socket } from "node:net";
import { withTimeout } from "../../concurrency/abortable.ts";
import type { BrowserExit, BrowserSpec, HostedBrowser } from "../../ports/browser-host.ts";
import type { Clock } from "../../ports/clock.ts";
import type { UpstreamProxy } from "../../domain/network/upstream-proxy.ts";
import type { Size } from "../../domain/browser/screen.ts";
import { KIND_NAMES } from "../../domain/browser/browser-kind.ts";
import { Failure } from "../../domain/failure.ts";
import type { Display, Picture, Thumbnail } from "../../ports/display.ts";
import type { EgressProxy, Traffic } from "../../ports/egress.ts";
import type { Sandbox, SandboxProcess } from "../../ports/sandboxes.ts";
import type { Threads } from "../../ports/threads.ts";
import { ImpossibleSize, resizeFirstPage } from "./page/resize-page.ts";
import { FULL, NoPage, SMALL, captureFrontPage } from "./page/screencast.ts";
import { valueOf } from "./launch/switch-of.ts";
import { Moves, type WatchdogLimits, type Work, watch } from "./watchdog.ts";

/** Time limit for a thumbnail, in ms. Capturing takes 250 ms on a busy machine. */
const THUMBNAIL_TIMEOUT_MS = 5000;
const SCREENSHOT_TIMEOUT_MS = 15_000;
const NO_PAGE_RETRY_S = 1;

type Parts = {
  readonly spec: Pick<BrowserSpec, "id" | "kind" | "isHeadless" | "switches">;
  readonly devtoolsPath: string;
  readonly sandbox: Sandbox;
  readonly process: SandboxProcess;
  readonly proxy: EgressProxy;
  /** Undefined for headless browsers. */
  readonly display: Display | undefined;
  /** Owns the browser's sandbox, process, proxy and display. */
  readonly resources: AsyncDisposableStack;
  readonly clock: Clock;
  readonly threads: Threads;
  /** Time limit for resizing the page, in ms. Detecting that a size is impossible takes up to 12 tries. */
  readonly resizeTimeoutMs: number;
  readonly watchdog: WatchdogLimits;
  readonly isOutdated: () => boolean;
};

/** A browser that responds to DevTools commands, and its resources. */
export class RunningBrowser implements HostedBrowser {
  readonly id: string;
  readonly devtoolsPath: string;
  readonly screen: Display | undefined;
  readonly #parts: Parts;
  readonly #gone = Promise.withResolvers<BrowserExit>();
  readonly gone = this.#gone.promise;
  readonly #moves = new Moves();
  #unwatch: () => void = () => {};
  /** Aborted when the browser is disposed, to end pending operations. */
  readonly #over = new AbortController();
  #ending: Promise<void> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.id = parts.spec.id;
    this.devtoolsPath = parts.devtoolsPath;
    this.screen = parts.display;
  }

  /** Starts checking that the browser is running and responsive. */
  start(): void {
    const { clock, watchdog, process, display, sandbox } = this.#parts;
    const onGone = (exit: BrowserExit): void => {
      this.#unwatch();
      if (this.#ending === undefined) this.#gone.resolve(sandbox.isOverLimit ? "memory" : exit);
    };
    this.#unwatch = watch({ connect: this.#connect, readWork: () => this.#readWork() }, clock, watchdog, () =>
      onGone("hung"),
    );
    void process.ended.then(async ({ code }) => {
      // A browser that loses its display exits with code 0, often before `display.gone` resolves.
      onGone(code === 0 && (await hasDisplay(display)) ? "exited" : "crashed");
    });
    void display?.gone.then(() => onGone("crashed"));
  }

  async connect(signal: AbortSignal): Promise<Socket> {
    const socket = await this.#parts.sandbox.connect(signal);
    this.#moves.add(socket);
    return socket;
  }

  async #readWork(): Promise<Work> {
    return { processorMs: await this.#parts.process.readProcessorMs(), moves: this.#moves.count };
  }

  takeThumbnail(signal: AbortSignal): Promise<Thumbnail> {
    const { display, threads } = this.#parts;
    return this.#within(
      THUMBNAIL_TIMEOUT_MS,
      "did not send a thumbnail",
      signal,
      (either) => display?.takeThumbnail(either) ?? captureFrontPage(this.#connect, SMALL, threads, either),
    );
  }

  async takeScreenshot(signal: AbortSignal): Promise<Picture> {
    const { display, threads } = this.#parts;
    try {
      return await this.#within(
        SCREENSHOT_TIMEOUT_MS,
        "did not send a screenshot",
        signal,
        (either) => display?.takeScreenshot(either) ?? captureFrontPage(this.#connect, FULL, threads, either),
      );
    } catch (cause) {
      throw cause instanceof NoPage ? toNoPage(cause) : cause;
    }
  }

  async resizePage(size: Size, signal: AbortSignal): Promise<void> {
    const { clock, resizeTimeoutMs, display, sandbox } = this.#parts;
    try {
      await this.#within(resizeTimeoutMs, "did not resize its page", signal, (either) =>
        resizeFirstPage(this.#connect, size, display, clock, either),
      );
    } catch (cause) {
      if (signal.aborted) throw signal.reason;
      if (cause instanceof ImpossibleSize) throw toSizeRefusal(size, this.#parts.spec, cause);
      throw toResizeFailure(size, sandbox.isOverLimit, cause);
    }
  }

  #connect = (signal: AbortSignal): Promise<Socket> => this.connect(signal);

  #within<T>(
    timeoutMs: number,
    failed: string,
    signal: AbortSignal,
    work: (either: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const toError = (): Error => new Error(`The browser ${failed} within ${timeoutMs} ms.`);
    const either = AbortSignal.any([signal, this.#over.signal]);
    return withTimeout({ timeoutMs, clock: this.#parts.clock, toError, signal: either }, work);
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

/** Returns the error for a screenshot of a browser that doesn't show a page. */
export function toNoPage(cause: Error): Failure {
  const message = `The browser shows nothing that a picture could be taken of: open a page, and try again in ${NO_PAGE_RETRY_S} s.`;
  return new Failure("BrowserUnavailable", message, { cause, retryAfterS: NO_PAGE_RETRY_S });
}

/** Returns an error that explains why the page can't have this size, and suggests a possible size. */
function toSizeRefusal({ width, height }: Size, spec: Parts["spec"], cause: ImpossibleSize): Failure {
  const { possible } = cause;
  const scale = valueOf(spec.switches, "--force-device-scale-factor") ?? "1";
  const browser = `a ${spec.isHeadless ? "headless" : "graphical"} ${KIND_NAMES[spec.kind]}`;
  const change = `choose ${possible.width}×${possible.height}, or a Scale that is a whole number`;
  const message = `is ${width}×${height} at Scale ${scale}, which ${browser} can't show: ${change}`;
  return new Failure("BadRequest", `Screen ${message}.`, { cause, errors: [{ path: "/Screen", message }] });
}

function toResizeFailure({ width, height }: Size, isOverLimit: boolean, cause: unknown): Failure {
  const browser = `A browser with a Screen of ${width}×${height}`;
  const message = isOverLimit
    ? `${browser} needs more memory or processes than it may use: choose a smaller size or Scale.`
    : `The browser's page did not get the size of Screen, ${width}×${height}; the operator can find the reason in the server's log.`;
  return new Failure("BrowserUnavailable", message, { cause });
}

/** Whether the display accepts connections; true for headless browsers, which don't have one. */
async function hasDisplay(display: Display | undefined): Promise<boolean> {
  if (display === undefined) return true;
  try {
    (await display.connect(new AbortController().signal)).destroy();
    return true;
  } catch {
    return false;
  }
}
