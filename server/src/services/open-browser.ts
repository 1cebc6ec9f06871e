import type { Socket } from "node:net";
import { type Browser, type Open, type Stay, deadline, next } from "../domain/browser.ts";
import { type CloseNotice, type EndReason, toCloseNotice } from "../domain/end.ts";
import { minuteStart, startedMinutes, toPeriod } from "../domain/units.ts";
import type { BrowserKind } from "../domain/browser-kind.ts";
import type { HostedBrowser } from "../ports/browser-host.ts";
import type { Screen } from "../ports/display.ts";
import type { Traffic } from "../ports/egress.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import type { Metrics } from "../ports/metrics.ts";
import type { BrowserStore, Charge } from "../ports/store.ts";

/** Somebody connected to the browser: told when it ends. */
export type Client = { end(code: number, reason: string): void };

/** How long after a failed entry into the books the next attempt is made. */
export const BOOKS_RETRY_MS = 5000;

type Needs = {
  readonly id: string;
  readonly kind: BrowserKind;
  readonly accountId: string;
  readonly address: string;
  readonly openedHost: string;
  readonly label: string | undefined;
  readonly openedAt: Date;
  readonly stay: Stay;
  readonly hosted: HostedBrowser;
  /** Everything to give back at the end, the hosted browser among it. */
  readonly resources: AsyncDisposableStack;
  readonly store: BrowserStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
};

/** One open browser: who is connected, what it costs, and its one way to end. */
export class OpenBrowser {
  readonly id: string;
  readonly kind: BrowserKind;
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
  readonly #clients = new Set<Client>();
  readonly #announceEnd: (notice: CloseNotice) => void;
  #browser: Browser;
  #closing: Promise<void> | undefined;
  /** What clients are told, once the browser has ended. */
  #notice: CloseNotice | undefined;
  #cancelDeadline: () => void = () => {};
  #cancelMinute: () => void = () => {};
  /** Minutes started so far as the timer saw them; the first was charged when the browser opened. */
  #minutes = 1;
  /** Of these, the ones that are not in the ledger yet. */
  #unpaid: number[] = [];

  constructor(needs: Needs) {
    this.#needs = needs;
    this.id = needs.id;
    this.kind = needs.kind;
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
    this.#awaitMinute();
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

  /** What it has sent to and received from the network so far. */
  get traffic(): Traffic {
    return this.#needs.hosted.traffic();
  }

  /** A new connection to its DevTools server. */
  connect(signal: AbortSignal): Promise<Socket> {
    return this.#needs.hosted.connect(signal);
  }

  /** Counts a client in, and tells it when the browser ends, or at once if it has. @returns Counts it out, once. */
  join(client: Client): () => void {
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
    this.#cancelMinute();
    const notice = toCloseNotice(reason);
    this.#notice = notice;
    this.#announceEnd(notice);
    for (const client of this.#clients) client.end(notice.code, notice.reason);
    this.#clients.clear();
    await Promise.all([this.#release(), this.#settle(at, reason)]);
    metrics.browserEnded(this.kind, reason, this.traffic);
    log.info("browser.closed", {
      id: this.id,
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
    if (this.#browser.state === "open") this.#watchDeadline();
  }

  #watchDeadline(): void {
    this.#cancelDeadline();
    const due = this.#browser.state === "open" ? deadline(this.#browser) : undefined;
    if (due === undefined) return;
    const { clock } = this.#needs;
    this.#cancelDeadline = clock.after(due.at.getTime() - clock.now().getTime(), () => void this.close(due.reason));
  }

  #awaitMinute(): void {
    const { clock } = this.#needs;
    const start = minuteStart(this.openedAt, this.#minutes);
    this.#cancelMinute = clock.after(start.getTime() - clock.now().getTime(), () => {
      this.#unpaid.push(this.#minutes);
      this.#minutes += 1;
      this.#awaitMinute();
      void this.#pay();
    });
  }

  /** Charges what is owed; what can't be charged now stays owed until the next minute or the end. */
  async #pay(): Promise<void> {
    const { store, log, metrics } = this.#needs;
    try {
      for (const minute of [...this.#unpaid]) {
        // The end may have come in between, and charged it as well.
        metrics.unitsCharged(await store.charge(this.#toCharge(minute)));
        this.#unpaid = this.#unpaid.filter((owed) => owed !== minute);
      }
    } catch (error) {
      log.error("browser.charge_failed", { id: this.id, owed: this.#unpaid.length, error });
    }
  }

  /** Closes the books; if they can't be written now, this is tried again behind the caller's back. */
  async #settle(at: Date, reason: EndReason): Promise<void> {
    const { store, clock, log, metrics } = this.#needs;
    const started = startedMinutes(this.openedAt, at);
    const late = Array.from({ length: Math.max(0, started - this.#minutes) }, (_, index) => this.#minutes + index);
    const charges = [...this.#unpaid, ...late].map((minute) => this.#toCharge(minute));
    try {
      metrics.unitsCharged(await store.close(this.id, { at, reason, charges }));
    } catch (error) {
      log.error("browser.settle_failed", { id: this.id, error });
      clock.after(BOOKS_RETRY_MS, () => void this.#settle(at, reason));
    }
  }

  #toCharge(minute: number): Charge {
    const startedAt = minuteStart(this.openedAt, minute);
    return { browserId: this.id, minute, period: toPeriod(startedAt), startedAt };
  }
}
