import { orAborted } from "../../concurrency/abortable.ts";
import { readKey } from "../../domain/browser/address.ts";
import { checkInstalled } from "../../domain/browser/browser-kind.ts";
import type { BrowserSelector } from "../../domain/browser/selector.ts";
import type { EndReason } from "../../domain/browser/end.ts";
import { Failure } from "../../domain/failure.ts";
import type { OpenOptions } from "../../domain/browser/open-options.ts";
import type { OpenCall, Owner } from "../../ports/fleet.ts";
import type { Idempotency } from "../../ports/store/store.ts";
import type { PlacedOpen } from "../../ports/cluster/worker-calls.ts";
import { type AdmissionNeeds, admit, countOpen } from "../admission/admissions.ts";
import type { Capacity } from "../capacity/capacity.ts";
import type { OpenBrowser } from "./open-browser.ts";
import { OpenTime } from "../admission/open-time.ts";
import { type HeldReservation, toPlacedReservation } from "../admission/reserve.ts";
import { type StartNeeds, startBrowser } from "./start-browser.ts";

const RESTART_S = 10;

type LocalBrowsersNeeds = StartNeeds &
  Omit<AdmissionNeeds, "capacity"> & {
    readonly capacity: Capacity;
    /** The time limit of Open requests that don't wait for a place, in ms. */
    readonly openTimeoutMs: number;
    /** Creates an id for logs, folders and users. */
    readonly newId: () => string;
  };

type OpenRequest = Omit<OpenCall, "disconnected"> & {
  readonly id: string;
  readonly signal: AbortSignal;
  readonly time: OpenTime;
};

/** Opens, finds, lists and ends this process's browsers. */
export class LocalBrowsers {
  readonly #needs: LocalBrowsersNeeds;
  /** Open browsers by the secret in their address, oldest first. */
  readonly #open = new Map<string, OpenBrowser>();
  /** Open browsers, and browsers whose end is being recorded, by id and by the secret in their address. */
  readonly #known = new Map<string, OpenBrowser>();
  readonly #shutdown = new AbortController();
  /** Browsers that are being opened or ended. A shutdown waits for them. */
  readonly #pending = new Set<Promise<unknown>>();

  constructor(needs: LocalBrowsersNeeds) {
    this.#needs = needs;
  }

  /** Aborted when new browsers are no longer accepted, with the failure for Open requests as the reason. */
  get shutdown(): AbortSignal {
    return this.#shutdown.signal;
  }

  get count(): number {
    return this.#open.size;
  }

  /** Whether no browser is open, being opened or ending. */
  get isIdle(): boolean {
    return this.#open.size === 0 && this.#pending.size === 0;
  }

  /**
   * Opens a browser. If the caller disconnects before the browser is open, closes it without charge.
   * @throws {Failure} `NoSubscription`, `NoUnits`, `BrowserLimit` or `BrowserUnavailable`.
   * @throws {KeyTaken} If the Idempotency-Key belongs to another browser.
   */
  async openNew({ account, options, base, disconnected }: OpenCall, idempotency?: Idempotency): Promise<OpenBrowser> {
    const { openTimeoutMs, newId } = this.#needs;
    const limits = { openTimeoutMs, waitForPlaceMs: options.waitForPlaceMs };
    const answer = this.#limit(limits, disconnected, async (time, signal) => {
      this.#shutdown.signal.throwIfAborted();
      const request = { id: newId(), account, options, base, signal, time };
      await using acquired = new AsyncDisposableStack();
      const wanted = { browserId: request.id, account, options, idempotency };
      const reservation = await admit(wanted, time, signal, this.#needs);
      acquired.defer(() => this.#needs.queue.wake(account.id));
      acquired.use(reservation);
      acquired.use(await this.#takeSlot(account.id, time, signal));
      return await this.#start(request, reservation, acquired.move());
    });
    return countOpen(answer, disconnected, this.#needs.metrics);
  }

  /**
   * Opens a browser that another process has admitted.
   * @param disconnected Aborted when the admitting process stops waiting. The browser is then closed.
   * @returns Undefined if the browser can't be opened here but might be on another worker. The reservation is kept.
   * @throws {Failure} `BrowserUnavailable`.
   */
  async openPlaced(
    { browserId: id, attempt, account, options, base, maxMs }: PlacedOpen,
    disconnected: AbortSignal,
    giveUp: () => Promise<void>,
  ): Promise<OpenBrowser | undefined> {
    const slot = this.#tryTakeSlot(account.id, options);
    if (slot === undefined) return undefined;
    const commitOpen = (address: string, openedAt: Date): Promise<number> =>
      this.#needs.store.commitOpen(id, address, openedAt, attempt);
    const reservation = toPlacedReservation(account, giveUp, commitOpen, this.#needs);
    // The process that admitted the browser counts the outcome.
    return this.#limit({ openTimeoutMs: maxMs, waitForPlaceMs: 0 }, disconnected, async (time, signal) => {
      await using acquired = new AsyncDisposableStack();
      acquired.use(reservation);
      acquired.use(slot);
      return await this.#start({ id, account, options, base, signal, time }, reservation, acquired.move());
    });
  }

  /** @throws {Failure} `BrowserNotFound` for a browser that is unknown, closed, or another account's. */
  find(owner: Owner, selector: BrowserSelector): OpenBrowser {
    const browser = this.findRecent(owner, selector);
    if (browser !== undefined && browser.end === undefined) return browser;
    throw new Failure("BrowserNotFound", toNotFound(selector));
  }

  /** Finds the account's browser if it is open or its end is being recorded. */
  findRecent(owner: Owner, selector: BrowserSelector): OpenBrowser | undefined {
    const name = "id" in selector ? selector.id : readKey(selector.address);
    const browser = name === undefined ? undefined : this.#known.get(name);
    // The map is keyed by ids and secret keys, but an id isn't valid in an address, and a secret key isn't a valid id.
    const isNamed = browser !== undefined && (name === browser.id) === "id" in selector;
    return isNamed && browser.accountId === owner.id ? browser : undefined;
  }

  /** Returns the account's open browsers, and the browsers whose end is being recorded. */
  listRecent(owner: Owner): OpenBrowser[] {
    return [...new Set(this.#known.values())].filter((browser) => browser.accountId === owner.id);
  }

  /** Finds any account's open browser by its key, which alone grants the right to connect. */
  findByKey(key: string): OpenBrowser | undefined {
    return this.#open.get(key);
  }

  /** Finds any account's browser by its id if it is open or its end is being recorded. */
  findById(id: string): OpenBrowser | undefined {
    const found = this.#known.get(id);
    return found?.id === id ? found : undefined;
  }

  all(): Iterable<OpenBrowser> {
    return this.#open.values();
  }

  /** Returns the account's open browsers, oldest first. */
  list(owner: Owner): OpenBrowser[] {
    return [...this.#open.values()].filter((browser) => browser.accountId === owner.id);
  }

  /** Ends an account's open browsers. Resolves when their resources are released. */
  async closeAllOf(accountId: string, reason: EndReason): Promise<void> {
    await Promise.all(this.list({ id: accountId }).map((browser) => browser.close(reason)));
  }

  /** Refuses new browsers from now on, as the first step of a shutdown. */
  refuse(): void {
    const message = "This server is shutting down and can't open browsers. Try again when it has restarted.";
    this.#shutdown.abort(new Failure("BrowserUnavailable", message, { retryAfterS: RESTART_S }));
  }

  /** Resolves when no browser is open, being opened or ending. */
  async idle(): Promise<void> {
    while (!this.isIdle) {
      await Promise.race([...this.#pending, ...[...this.#open.values()].map((browser) => browser.ended)]);
    }
  }

  /** Ends the browsers that are open now. Resolves when their resources are released. */
  async closeOpen(reason: EndReason): Promise<void> {
    await Promise.all([...this.#open.values()].map((browser) => browser.close(reason)));
  }

  /** Ends all browsers, including browsers being opened. Resolves when their resources are released. */
  async closeAll(reason: EndReason): Promise<void> {
    this.refuse();
    for (const browser of this.#open.values()) void browser.close(reason);
    await this.idle();
  }

  async #limit(
    limits: ConstructorParameters<typeof OpenTime>[0],
    disconnected: AbortSignal,
    work: (time: OpenTime, signal: AbortSignal) => Promise<OpenBrowser>,
  ): Promise<OpenBrowser> {
    const time = new OpenTime(limits, this.#needs.clock);
    const signal = AbortSignal.any([disconnected, time.late, this.#shutdown.signal]);
    try {
      // A request past its time limit fails immediately. Its resources are released in the background, which may be
      // slow.
      return await orAborted(this.#track(work(time, signal)), time.late);
    } finally {
      time.end();
    }
  }

  async #start(
    { id, account, options, base, signal, time }: OpenRequest,
    reservation: HeldReservation,
    resources: AsyncDisposableStack,
  ): Promise<OpenBrowser> {
    const { log, metrics, clock } = this.#needs;
    const request = { id, options, base, time, reservation, resources };
    const { browser, key, isWarm } = await startBrowser(request, signal, this.#needs);
    this.#add(key, browser);
    if (signal.aborted) await (this.#shutdown.signal.aborted ? browser.close("shutdown") : browser.undo());
    signal.throwIfAborted();
    const { kind, isHeadless, sandbox } = browser;
    const openMs = Math.round(clock.elapsedMs() - time.startedMs);
    metrics.browserOpened(kind, isWarm, openMs);
    log.info("browser.opened", { id, account: account.id, kind, isHeadless, isWarm, sandbox, openMs });
    return browser;
  }

  async #takeSlot(accountId: string, time: OpenTime, signal: AbortSignal): Promise<Disposable> {
    const { capacity } = this.#needs;
    if (!time.canWait) return capacity.take(accountId);
    return capacity.tryTake(accountId) ?? (await time.wait((maxMs) => capacity.wait(accountId, maxMs, signal)));
  }

  /** @returns Undefined if this process can't open such a browser now. */
  #tryTakeSlot(accountId: string, options: OpenOptions): Disposable | undefined {
    const { findRefusal, host, capacity } = this.#needs;
    if (this.#shutdown.signal.aborted || findRefusal() !== undefined) return undefined;
    try {
      checkInstalled(options, host);
      return capacity.tryTake(accountId);
    } catch (error) {
      if (error instanceof Failure) return undefined;
      throw error;
    }
  }

  #add(key: string, browser: OpenBrowser): void {
    const { events, queue } = this.#needs;
    browser.start();
    this.#open.set(key, browser);
    for (const name of [key, browser.id]) this.#known.set(name, browser);
    void browser.ended.then(() => {
      this.#open.delete(key);
      events.emit(browser.accountId);
    });
    events.emit(browser.accountId);
    const forgotten = browser.closed.then(() => {
      for (const name of [key, browser.id]) this.#known.delete(name);
      queue.wake(browser.accountId);
    });
    void this.#track(forgotten);
  }

  #track<T>(work: Promise<T>): Promise<T> {
    const settled = Promise.allSettled([work]);
    this.#pending.add(settled);
    void settled.then(() => this.#pending.delete(settled));
    return work;
  }
}

export function toNotFound(selector: BrowserSelector): string {
  return "id" in selector
    ? "This account has no open browser with this id: the browser has closed, or the id is incomplete."
    : "This account has no open browser with this address: the browser has closed, or the address is incomplete.";
}
