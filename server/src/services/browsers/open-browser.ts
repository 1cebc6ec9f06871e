import type { Socket } from "node:net";
import { type Browser, type Open, type Expiry, deadline, next } from "../../domain/browser/browser.ts";
import { type CloseNotice, type EndReason, toCloseNotice } from "../../domain/browser/end.ts";
import { startedMinutes } from "../../domain/account/units.ts";
import type { BrowserKind } from "../../domain/browser/browser-kind.ts";
import type { BrowserClient } from "../../ports/browser-client.ts";
import type { HostedBrowser } from "../../ports/browser-host.ts";
import type { Screen } from "../../ports/display.ts";
import type { Traffic } from "../../ports/egress.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { Metrics } from "../../ports/metrics.ts";
import type { Picture } from "../../ports/picture.ts";
import type { BrowserStore } from "../../ports/store.ts";
import type { AccountEvents } from "./account-events.ts";
import { Meter } from "./meter.ts";

type Needs = {
  readonly id: string;
  readonly kind: BrowserKind;
  readonly isHeadless: boolean;
  /** Of the proxy that it goes out through; undefined: it goes out directly. */
  readonly proxyHost: string | undefined;
  readonly accountId: string;
  readonly address: string;
  readonly openedHost: string;
  readonly label: string | undefined;
  readonly openedAt: Date;
  readonly stay: Expiry;
  readonly hosted: HostedBrowser;
  /** Everything to give back at the end, the hosted browser among it. */
  readonly resources: AsyncDisposableStack;
  readonly store: BrowserStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly events: AccountEvents;
};

/** One open browser: who is connected, and its one way to end. */
export class OpenBrowser {
  readonly id: string;
  readonly kind: BrowserKind;
  readonly isHeadless: boolean;
  /** Of the proxy that it goes out through; undefined: it goes out directly. */
  readonly proxyHost: string | undefined;
  readonly accountId: string;
  readonly address: string;
  readonly openedHost: string;
  readonly label: string | undefined;
  readonly openedAt: Date;
  /** Resolves when the browser leaves the state open, with what its clients are told. */
  readonly ended: Promise<CloseNotice>;
  /** Resolves after that, when nothing of it is left. */
  readonly closed: Promise<void>;

  readonly #needs: Needs;
  readonly #meter: Meter;
  readonly #clients = new Set<BrowserClient>();
  readonly #announceEnd: (notice: CloseNotice) => void;
  #browser: Browser;
  #closing: Promise<void> | undefined;
  /** What clients are told, once the browser has ended. */
  #notice: CloseNotice | undefined;
  #cancelDeadline: () => void = () => {};

  constructor(needs: Needs) {
    this.#needs = needs;
    this.id = needs.id;
    this.kind = needs.kind;
    this.isHeadless = needs.isHeadless;
    this.proxyHost = needs.proxyHost;
    this.accountId = needs.accountId;
    this.address = needs.address;
    this.openedHost = needs.openedHost;
    this.label = needs.label;
    this.openedAt = needs.openedAt;
    const { promise, resolve } = Promise.withResolvers<CloseNotice>();
    this.ended = promise;
    this.closed = promise.then(() => this.#closing);
    this.#announceEnd = resolve;
    this.#browser = next(
      { state: "opening", id: needs.id, requestedAt: needs.openedAt },
      { type: "opened", at: needs.openedAt, stay: needs.stay },
    );
    this.#watchDeadline();
    this.#meter = new Meter(needs);
    void needs.hosted.gone.then((exit) => this.close(exit));
  }

  /** Path of its DevTools endpoint as the browser itself spells it; never shown to clients. */
  get devtoolsPath(): string {
    return this.#needs.hosted.devtoolsPath;
  }

  /** The screen that its windows are on; undefined for headless ones. */
  get screen(): Screen | undefined {
    return this.#needs.hosted.screen;
  }

  /** DevTools clients and desktop viewers connected now. */
  get clients(): number {
    return this.#browser.state === "open" ? this.#browser.clients : 0;
  }

  /** When it closes by itself if nothing happens, and why; undefined: never, or it has ended. */
  get due(): ReturnType<typeof deadline> {
    return this.#browser.state === "open" ? deadline(this.#browser) : undefined;
  }

  /** What it has sent to and received from the network so far. */
  get traffic(): Traffic {
    return this.#needs.hosted.traffic();
  }

  /** A new connection to its DevTools server. */
  connect(signal: AbortSignal): Promise<Socket> {
    return this.#needs.hosted.connect(signal);
  }

  /** What it shows now. Nobody is counted in by it. @throws {Error} As `HostedBrowser.takePicture`. */
  takePicture(signal: AbortSignal): Promise<Picture> {
    return this.#needs.hosted.takePicture(signal);
  }

  /** Counts a client in, and tells it when the browser ends, or at once if it has. @returns Counts it out, once. */
  join(client: BrowserClient): () => void {
    if (this.#notice !== undefined) {
      client.end(this.#notice.code, this.#notice.reason);
      return () => {};
    }
    this.#clients.add(client);
    this.#move({ type: "joined", at: this.#needs.clock.now() });
    let isIn = true;
    return () => {
      if (!isIn) return;
      isIn = false;
      this.#clients.delete(client);
      this.#move({ type: "left", at: this.#needs.clock.now() });
    };
  }

  /**
   * Ends the browser; the first reason counts. Resolves once nothing of it is left: no client, process or folder, and
   * its units settled. Never rejects.
   */
  close(reason: EndReason): Promise<void> {
    return (this.#closing ??= this.#end(reason));
  }

  async #end(reason: EndReason): Promise<void> {
    const { clock, log, metrics } = this.#needs;
    const at = clock.now();
    const { clients } = this.#browser as Open;
    this.#browser = next(this.#browser, { type: "ended", at, reason });
    this.#cancelDeadline();
    const notice = toCloseNotice(reason);
    this.#notice = notice;
    this.#announceEnd(notice);
    for (const client of this.#clients) client.end(notice.code, notice.reason);
    this.#clients.clear();
    await Promise.all([this.#release(), this.#meter.settle(at, reason)]);
    metrics.browserEnded(this.kind, reason, this.traffic);
    log.info("browser.closed", {
      id: this.id,
      account: this.accountId,
      reason,
      clients,
      units: startedMinutes(this.openedAt, at),
      openMs: at.getTime() - this.openedAt.getTime(),
      closeMs: clock.now().getTime() - at.getTime(),
    });
  }

  async #release(): Promise<void> {
    try {
      await this.#needs.resources.disposeAsync();
    } catch (error) {
      this.#needs.log.error("browser.release_failed", { id: this.id, error });
    }
  }

  #move(event: Parameters<typeof next>[1]): void {
    this.#browser = next(this.#browser, event);
    if (this.#browser.state !== "open") return;
    this.#watchDeadline();
    this.#needs.events.emit(this.accountId);
  }

  #watchDeadline(): void {
    this.#cancelDeadline();
    const { due } = this;
    if (due === undefined) return;
    const { clock } = this.#needs;
    this.#cancelDeadline = clock.after(due.at.getTime() - clock.now().getTime(), () => void this.close(due.reason));
  }
}
