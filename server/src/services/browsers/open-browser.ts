import type { Socket } from "node:net";
import { releaseOnce } from "../../concurrency/release-once.ts";
import { type Browser, type Due, type Open, type Expiry, deadline, next } from "../../domain/browser/browser.ts";
import type { BrowserKind } from "../../domain/browser/browser-kind.ts";
import { type CloseNotice, type EndReason, toCloseNotice } from "../../domain/browser/end.ts";
import type { OpenOptions } from "../../domain/browser/open-options.ts";
import { unitsPerMinute } from "../../domain/plan/price.ts";
import { usedMinutes } from "../../domain/plan/units.ts";
import type { BrowserClient } from "../../ports/browser-client.ts";
import type { HostedBrowser } from "../../ports/browser-host.ts";
import type { Picture, Screen, Thumbnail } from "../../ports/display.ts";
import type { Traffic } from "../../ports/egress.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { Metrics } from "../../ports/metrics.ts";
import type { BrowserStore } from "../../ports/store/store.ts";
import type { AccountEvents } from "../store/account-events.ts";
import type { Charges } from "../records/charges.ts";
import { Meter } from "../records/meter.ts";
import type { Outbox } from "../store/outbox.ts";

type Facts = {
  readonly id: string;
  readonly accountId: string;
  readonly address: string;
  readonly openedAt: Date;
  /** The browser's options. The proxy may be one of the deployment's proxies. */
  readonly options: OpenOptions;
  readonly expiry: Expiry;
  readonly hosted: HostedBrowser;
  /** All resources to release when the browser ends, including the hosted browser. */
  readonly resources: AsyncDisposableStack;
};

export type OpenBrowserNeeds = {
  readonly store: BrowserStore;
  readonly outbox: Outbox;
  readonly charges: Charges;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly events: AccountEvents;
};

/** An open browser, with its clients and timers. Only this class ends the browser. */
export class OpenBrowser {
  readonly id: string;
  readonly accountId: string;
  readonly address: string;
  readonly openedAt: Date;
  readonly kind: BrowserKind;
  readonly isHeadless: boolean;
  /** The proxy's host; undefined if the browser connects directly. */
  readonly proxyHost: string | undefined;
  readonly sandbox: string;
  /** The DevTools path that the browser reports. Clients never see it. */
  readonly devtoolsPath: string;
  /** The screen that shows the browser's windows; undefined for headless browsers. */
  readonly screen: Screen | undefined;

  readonly #end = Promise.withResolvers<CloseNotice>();
  /** Resolves with the notice for clients when the browser leaves the `open` state. */
  readonly ended = this.#end.promise;
  /** Resolves after `ended`, when all resources are released. */
  readonly closed: Promise<void> = this.ended.then(() => this.#closing);

  readonly #hosted: HostedBrowser;
  readonly #resources: AsyncDisposableStack;
  readonly #needs: OpenBrowserNeeds;
  readonly #meter: Meter;
  readonly #clients = new Set<BrowserClient>();
  /** Callbacks for when the browser ends. Unlike promise reactions, they can be removed before that. */
  readonly #waiting = new Set<() => void>();
  #browser: Browser;
  #expiry: Expiry;
  #closing: Promise<void> | undefined;
  #isUsed = false;
  /** The notice for clients that join after the browser has ended. */
  #notice: CloseNotice | undefined;
  #names: Pick<OpenOptions, "label" | "tags">;
  #cancelDeadline: () => void = () => {};

  constructor(
    { id, accountId, address, openedAt, options, expiry, hosted, resources }: Facts,
    needs: OpenBrowserNeeds,
  ) {
    this.id = id;
    this.accountId = accountId;
    this.address = address;
    this.openedAt = openedAt;
    this.kind = options.kind;
    this.isHeadless = options.isHeadless;
    this.proxyHost = options.proxy?.host;
    this.sandbox = hosted.id;
    this.devtoolsPath = hosted.devtoolsPath;
    this.screen = hosted.screen;
    this.#hosted = hosted;
    this.#resources = resources;
    this.#needs = needs;
    this.#browser = next({ state: "opening", id, requestedAt: openedAt }, { type: "opened", at: openedAt, expiry });
    this.#expiry = expiry;
    this.#names = { label: options.label, tags: options.tags };
    this.#meter = new Meter({ ...needs, id, accountId, openedAt, due: () => this.due?.at });
  }

  /** Starts the browser's timers, and watches for the hosted browser's exit. */
  start(): void {
    this.#watchDeadline();
    this.#meter.start();
    void this.#hosted.gone.then((exit) => this.close(exit));
  }

  get openedHost(): string {
    return new URL(this.address).host;
  }

  get label(): string | undefined {
    return this.#names.label;
  }

  get tags(): readonly string[] {
    return this.#names.tags;
  }

  /** The number of connected DevTools clients and desktop viewers. */
  get clients(): number {
    return this.#browser.state === "open" ? this.#browser.clients : 0;
  }

  /** Whether a client has ever connected. */
  get isUsed(): boolean {
    return this.#isUsed;
  }

  /** When and why the browser ended; undefined while it is open. */
  get end(): { readonly at: Date; readonly reason: EndReason } | undefined {
    return this.#browser.state === "closed" ? { at: this.#browser.closedAt, reason: this.#browser.reason } : undefined;
  }

  /** The current inactivity period and lifetime, or the values when the browser ended. */
  get expiry(): Expiry {
    return this.#expiry;
  }

  /** The units for all minutes started so far. */
  get units(): number {
    return this.#meter.minutes * unitsPerMinute(this);
  }

  /** When and why the browser will close if nothing else happens; undefined if it has no deadline or has ended. */
  get due(): Due | undefined {
    return this.#browser.state === "open" ? deadline(this.#browser) : undefined;
  }

  /** The bytes sent to and received from the network so far. */
  get traffic(): Traffic {
    return this.#hosted.traffic();
  }

  connect(signal: AbortSignal): Promise<Socket> {
    return this.#hosted.connect(signal);
  }

  /** Like `HostedBrowser.takeThumbnail`. Doesn't count as activity. */
  takeThumbnail(signal: AbortSignal): Promise<Thumbnail> {
    return this.#hosted.takeThumbnail(signal);
  }

  /** Like `HostedBrowser.takeScreenshot`. Doesn't count as activity. */
  takeScreenshot(signal: AbortSignal): Promise<Picture> {
    return this.#hosted.takeScreenshot(signal);
  }

  /**
   * Adds a connected client. Calls `client.end` when the browser ends, or immediately if it has ended.
   * @returns A function to call when the client leaves. Calling it again has no effect.
   */
  join(client: BrowserClient): () => void {
    if (this.#notice !== undefined) {
      client.end(this.#notice.code, this.#notice.reason);
      return () => {};
    }
    this.#clients.add(client);
    this.#isUsed = true;
    this.#move({ type: "joined", at: this.#needs.clock.now() });
    const membership = releaseOnce(() => {
      this.#clients.delete(client);
      this.#move({ type: "left", at: this.#needs.clock.now() });
    });
    return () => membership[Symbol.dispose]();
  }

  /**
   * Calls `callback` once when the browser ends, or immediately if it has ended. Doesn't count as activity.
   * @returns A function that cancels the callback.
   */
  onEnd(callback: () => void): () => void {
    if (this.#notice !== undefined) {
      callback();
      return () => {};
    }
    this.#waiting.add(callback);
    return () => this.#waiting.delete(callback);
  }

  /**
   * Replaces the label, tags and time limits. Ends the browser if it exceeds a limit. Has no effect on ended browsers.
   */
  change({ label, tags, expiry }: Pick<OpenOptions, "label" | "tags"> & { readonly expiry: Expiry }): void {
    if (this.#browser.state !== "open") return;
    this.#names = { label, tags };
    this.#expiry = expiry;
    this.#move({ type: "changed", expiry });
    const { due } = this;
    if (due !== undefined && due.at <= this.#needs.clock.now()) void this.close(due.reason);
  }

  /**
   * Ends the browser. If called again, keeps the first reason. Resolves when the browser's clients are disconnected,
   * its resources released and its units charged. Never rejects.
   */
  close(reason: EndReason): Promise<void> {
    return (this.#closing ??= this.#close(reason, this.#needs.clock.now()));
  }

  /**
   * Ends the browser and deletes its record with its units, as if it had never been opened. Has no effect after the
   * browser has ended. Never rejects.
   */
  undo(): Promise<void> {
    return (this.#closing ??= this.#close("requested", this.#needs.clock.now(), true));
  }

  async #close(reason: EndReason, at: Date, isUndone = false): Promise<void> {
    const { clock, log, metrics } = this.#needs;
    const { clients } = this.#browser as Open;
    this.#browser = next(this.#browser, { type: "ended", at, reason });
    this.#cancelDeadline();
    const notice = toCloseNotice(reason);
    this.#notice = notice;
    this.#end.resolve(notice);
    for (const client of this.#clients) client.end(notice.code, notice.reason);
    this.#clients.clear();
    for (const callback of this.#waiting) callback();
    this.#waiting.clear();
    const { keepOpenMs } = this.#expiry;
    const recorded = isUndone
      ? this.#meter.undo()
      : this.#meter.settle({ at, reason, keepOpenMs, traffic: this.traffic });
    await Promise.all([this.#release(), recorded]);
    metrics.browserEnded(this.kind, reason, this.traffic);
    log.info("browser.closed", {
      id: this.id,
      account: this.accountId,
      reason,
      ...(isUndone && { isUndone }),
      clients,
      units: usedMinutes(this.openedAt, at) * unitsPerMinute(this),
      durationMs: at.getTime() - this.openedAt.getTime(),
      closeMs: clock.now().getTime() - at.getTime(),
      ...this.traffic,
    });
  }

  async #release(): Promise<void> {
    try {
      await this.#resources.disposeAsync();
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
    this.#cancelDeadline = clock.after(due.at.getTime() - clock.now().getTime(), () => {
      // Timers never fire exactly on time, so the due time is recorded as the browser's end.
      void (this.#closing ??= this.#close(due.reason, due.at));
    });
  }
}
