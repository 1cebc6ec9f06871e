import { setTimeout as wait } from "node:timers/promises";
import { ABNORMAL, type DevtoolsSession, openDevtoolsSession } from "./devtools-session.ts";
import { TunnelFailure } from "./failure.ts";

/** Less than a minute, because many proxies close connections that have been idle for a minute. */
const PULSE_MS = 20_000;
/** Maximum time for retrying a lost connection, in ms. */
const RECONNECT_MS = 30_000;
const FIRST_DELAY_MS = 250;
const MAX_DELAY_MS = 4_000;

/** The result of `Browser.getVersion`. */
type BrowserVersion = {
  readonly protocolVersion: string;
  readonly product: string;
  readonly revision: string;
  readonly userAgent: string;
  readonly jsVersion: string;
};

/** An element in the result of `Target.getTargets`. */
type TargetInfo = {
  readonly targetId: string;
  readonly type: string;
  readonly title: string;
  readonly url: string;
};

/**
 * The tunnel's own connection to a browser. Reads the browser's version and detects when the browser closes. If the
 * connection is lost, the link tries to reconnect for half a minute. Disposing leaves the browser open.
 */
export class BrowserLink implements Disposable {
  readonly version: BrowserVersion;
  /** Resolves with the reason when the browser has closed or is unreachable. Never resolves after disposing. */
  readonly ended: Promise<string>;
  readonly #url: URL;
  readonly #end: (why: string) => void;
  readonly #leaving = new AbortController();
  #session: DevtoolsSession;

  private constructor(url: URL, session: DevtoolsSession, version: BrowserVersion) {
    this.#url = url;
    this.#session = session;
    this.version = version;
    const { promise, resolve } = Promise.withResolvers<string>();
    this.ended = promise;
    this.#end = resolve;
  }

  /** @throws {TunnelFailure} If no browser has this address, or the browser doesn't respond. */
  static async open(url: URL): Promise<BrowserLink> {
    const session = await openDevtoolsSession(url);
    try {
      const link = new BrowserLink(url, session, await session.command<BrowserVersion>("Browser.getVersion"));
      void link.#watch();
      void link.#keepPulse();
      return link;
    } catch (error) {
      session[Symbol.dispose]();
      throw error;
    }
  }

  /** @throws {TunnelFailure} While the connection is lost. */
  async targets(): Promise<readonly TargetInfo[]> {
    return (await this.#session.command<{ targetInfos: TargetInfo[] }>("Target.getTargets")).targetInfos;
  }

  [Symbol.dispose](): void {
    this.#leaving.abort();
    this.#session[Symbol.dispose]();
  }

  async #watch(): Promise<void> {
    for (;;) {
      const { code, reason } = await this.#session.closed;
      if (this.#leaving.signal.aborted) return;
      // A close frame from the server is final, so the link doesn't reconnect.
      if (code !== ABNORMAL) return this.#end(`The browser has closed (${reason || `close code ${code}`}).`);
      try {
        this.#session = await this.#reconnect();
      } catch (error) {
        if (!this.#leaving.signal.aborted) this.#end(toText(error));
        return;
      }
      if (this.#leaving.signal.aborted) this.#session[Symbol.dispose]();
    }
  }

  async #reconnect(): Promise<DevtoolsSession> {
    const deadline = performance.now() + RECONNECT_MS;
    for (let delayMs = FIRST_DELAY_MS; ; delayMs = Math.min(2 * delayMs, MAX_DELAY_MS)) {
      await wait(delayMs, undefined, { signal: this.#leaving.signal });
      try {
        return await openDevtoolsSession(this.#url);
      } catch (error) {
        const mayPass = error instanceof TunnelFailure && error.name === "Unreachable";
        if (!mayPass || performance.now() > deadline) throw error;
      }
    }
  }

  /** Detects a broken connection that emits no event. */
  async #keepPulse(): Promise<void> {
    const { signal } = this.#leaving;
    while (!signal.aborted) {
      await wait(PULSE_MS, undefined, { signal, ref: false }).catch(() => {});
      // If a command receives no response, the connection closes, and #watch detects the close.
      if (!signal.aborted) await this.#session.command("Browser.getVersion").catch(() => {});
    }
  }
}

function toText(error: unknown): string {
  if (!(error instanceof TunnelFailure)) return String(error);
  if (error.name === "NotFound") return "The browser closed while the connection to it was lost.";
  return `The connection to the browser was lost. ${error.message}`;
}
