import { orAborted } from "../../concurrency/abortable.ts";
import { newSteadyClock } from "../../concurrency/steady-clock.ts";
import { toSubscription, type Account } from "../../domain/account/account.ts";
import { readKey, toAddress } from "../../domain/browser/address.ts";
import { checkInstalled } from "../../domain/browser/browser-kind.ts";
import { toExpiry } from "../../domain/browser/browser.ts";
import type { BrowserSelector } from "../../domain/browser/selector.ts";
import type { EndReason } from "../../domain/browser/end.ts";
import { toTerms } from "../../domain/account/entitlement.ts";
import { Failure, isFailure } from "../../domain/failure.ts";
import type { OpenOptions } from "../../domain/browser/open-options.ts";
import type { Plans } from "../../domain/account/plan.ts";
import type { AccountStore } from "../../ports/account-store.ts";
import type { BrowserHost, BrowserSpec, HostedBrowser } from "../../ports/browser-host.ts";
import type { Owner } from "../../ports/fleet.ts";
import type { Idempotency } from "../../ports/store.ts";
import { outcomeOf } from "../../ports/metrics.ts";
import type { Capacity } from "./capacity.ts";
import type { LaunchGate } from "./launch-gate.ts";
import { OpenBrowser, type OpenBrowserNeeds } from "./open-browser.ts";
import type { ProxyPool } from "./proxy-pool.ts";
import { OpenTime } from "./open-time.ts";
import type { Attempt, PlaceQueue } from "./place-queue.ts";
import { type HeldReservation, reserve } from "./reserve.ts";
import type { WarmPool } from "./warm-pool.ts";

/** How long a restart takes. */
const RESTART_S = 10;

type Needs = OpenBrowserNeeds & {
  readonly accounts: Pick<AccountStore, "find" | "outdate">;
  readonly host: BrowserHost;
  readonly gate: LaunchGate;
  readonly pool: WarmPool;
  /** Provides a proxy for each browser that is opened without one. */
  readonly proxies: Pick<ProxyPool, "acquire">;
  readonly plans: Plans;
  readonly capacity: Capacity;
  /** Open requests that wait for a place of their account. */
  readonly queue: PlaceQueue;
  /** Why this server opens no browsers now; undefined: it does. */
  readonly findRefusal: () => Failure | undefined;
  /** How long an Open request may take that doesn't wait for a place, in ms. */
  readonly openTimeoutMs: number;
  /** An id for logs, folders and users. */
  readonly newId: () => string;
  /** At least 128 random bits, URL-safe: the secret in an address. */
  readonly newKey: () => string;
};

type OpenRequest = {
  readonly base: URL;
  readonly signal: AbortSignal;
  readonly time: OpenTime;
  readonly idempotency: Idempotency | undefined;
};

/** The open browsers of this process: opens, finds, lists and ends them. */
export class Residents {
  readonly #needs: Needs;
  /** Open browsers by the secret in their address, in the order in which they were opened. */
  readonly #open = new Map<string, OpenBrowser>();
  /** Open browsers, and those whose end is being recorded, by their id and by the secret in their address. */
  readonly #known = new Map<string, OpenBrowser>();
  readonly #shutdown = new AbortController();
  /** Opens and ends in progress: a shutdown waits for them. */
  readonly #pending = new Set<Promise<unknown>>();

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  /** Aborted when new browsers are refused. Its reason is the failure that Open requests reject with. */
  get shutdown(): AbortSignal {
    return this.#shutdown.signal;
  }

  get count(): number {
    return this.#open.size;
  }

  /**
   * @param base What the address begins with: an http(s) URL.
   * @param gone Aborted when the caller disconnects. In that case the browser is closed and not charged.
   * @throws {Failure} `NoSubscription`, `NoUnits`, `BrowserLimit` or `BrowserUnavailable`.
   * @throws {KeyTaken} If the Idempotency-Key belongs to another browser.
   */
  async open(
    account: Account,
    options: OpenOptions,
    base: URL,
    gone: AbortSignal,
    idempotency?: Idempotency,
  ): Promise<OpenBrowser> {
    const { metrics, clock, openTimeoutMs } = this.#needs;
    const time = new OpenTime({ openTimeoutMs, waitForPlaceMs: options.waitForPlaceMs }, clock);
    const signal = AbortSignal.any([gone, time.late, this.#shutdown.signal]);
    try {
      // A late request is answered at once. What it has taken is released meanwhile, which can take long, too.
      const browser = await orAborted(
        this.#track(this.#openOne(account, options, { base, signal, time, idempotency })),
        time.late,
      );
      metrics.openAnswered("ok");
      return browser;
    } catch (error) {
      metrics.openAnswered(outcomeOf(error, gone));
      throw error;
    } finally {
      time.end();
    }
  }

  /** @throws {Failure} `BrowserNotFound` for a browser that is unknown, closed, or another account's. */
  find(owner: Owner, selector: BrowserSelector): OpenBrowser {
    const browser = this.findRecent(owner, selector);
    if (browser !== undefined && browser.end === undefined) return browser;
    throw new Failure("BrowserNotFound", toNotFound(selector));
  }

  /** The account's browser, open or with an end that is being recorded. */
  findRecent(owner: Owner, selector: BrowserSelector): OpenBrowser | undefined {
    const name = "id" in selector ? selector.id : readKey(selector.address);
    const browser = name === undefined ? undefined : this.#known.get(name);
    // The map has both kinds of names: an id in an address finds nothing, and neither does a key in place of an id.
    const isNamed = browser !== undefined && (name === browser.id) === "id" in selector;
    return isNamed && browser.accountId === owner.id ? browser : undefined;
  }

  /** The account's browsers that are open, and those whose end is being recorded. */
  listRecent(owner: Owner): OpenBrowser[] {
    return [...new Set(this.#known.values())].filter((browser) => browser.accountId === owner.id);
  }

  /** The browser of any account with this key: the key alone gives the right to connect. */
  findByKey(key: string): OpenBrowser | undefined {
    return this.#open.get(key);
  }

  /** The open browsers of all accounts. */
  all(): Iterable<OpenBrowser> {
    return this.#open.values();
  }

  /** The account's open browsers, oldest first. */
  list(owner: Owner): OpenBrowser[] {
    return [...this.#open.values()].filter((browser) => browser.accountId === owner.id);
  }

  /** Ends an account's open browsers. Resolves when they have released everything. */
  async closeAllOf(accountId: string, reason: EndReason): Promise<void> {
    await Promise.all(this.list({ id: accountId }).map((browser) => browser.close(reason)));
  }

  /** Refuses new browsers from now on. A shutdown begins with this. */
  refuse(): void {
    const message = "This server is shutting down and can't open browsers. Try again when it has restarted.";
    this.#shutdown.abort(new Failure("BrowserUnavailable", message, { retryAfterS: RESTART_S }));
  }

  /** Resolves when no browser is open, being opened or ending. */
  async idle(): Promise<void> {
    while (this.#open.size > 0 || this.#pending.size > 0) {
      await Promise.race([...this.#pending, ...[...this.#open.values()].map((browser) => browser.ended)]);
    }
  }

  /** Ends the browsers that are open now. Resolves when they have released everything. */
  async closeOpen(reason: EndReason): Promise<void> {
    await Promise.all([...this.#open.values()].map((browser) => browser.close(reason)));
  }

  /** Ends all browsers, including those being opened. Resolves when they have released everything. */
  async closeAll(reason: EndReason): Promise<void> {
    this.refuse();
    for (const browser of this.#open.values()) void browser.close(reason);
    await this.idle();
  }

  async #openOne(
    asking: Account,
    requested: OpenOptions,
    { base, signal, time, idempotency }: OpenRequest,
  ): Promise<OpenBrowser> {
    const { host, pool, proxies, plans, capacity, queue, clock, log, metrics } = this.#needs;
    this.#shutdown.signal.throwIfAborted();
    const requestedMs = clock.elapsedMs();
    const id = this.#needs.newId();
    await using acquired = new AsyncDisposableStack();
    const attempt: Attempt<HeldReservation> = async (onOffer) => {
      const refusal = this.#needs.findRefusal();
      if (refusal !== undefined) throw refusal;
      return await reserve(
        { ...requested, browserId: id, requestedAt: clock.now(), idempotency },
        asking,
        (one) => {
          const terms = toTerms(toSubscription(one, plans), one.hasAdditionalUnits, capacity.limit);
          onOffer({ version: one.version, parallel: terms.parallel });
          return terms;
        },
        this.#needs,
      );
    };
    const reservation = await this.#admit(asking.id, attempt, time, signal);
    acquired.defer(() => queue.wake(asking.id));
    acquired.use(reservation);
    const { account } = reservation;
    const subscription = toSubscription(account, plans);
    acquired.use(await this.#takePlace(account.id, time, signal));
    const pooled = acquired.use(requested.proxy === undefined ? await proxies.acquire(signal) : undefined);
    const options = {
      ...requested,
      proxy: requested.proxy ?? pooled?.proxy,
      memoryBytes: subscription?.memoryBytes,
      hasWebGl: subscription?.hasWebGl,
    };
    checkInstalled(options, host);
    const warm = acquired.use(await pool.take(options, signal));
    // A warm browser was started with all options except the proxy.
    warm?.reroute(options.proxy);
    warm?.assign(account.id);
    const hosted = warm ?? acquired.use(await this.#launch({ ...options, id, account: account.id }, signal));
    if (options.page !== undefined) await hosted.resizePage(options.page, signal);
    signal.throwIfAborted();
    // From here on, the user gets the browser, and pays for it.
    time.end();
    const key = this.#needs.newKey();
    const address = toAddress(base, key);
    // A browser's minutes and deadlines are counted from its opening, however the machine's clock is set meanwhile.
    const steady = newSteadyClock(clock);
    const openedAt = steady.now();
    await reservation.commit(address, openedAt);
    const expiry = toExpiry(options, subscription?.maxLifetimeMs);
    const resources = acquired.move();
    const facts = { id, accountId: account.id, address, openedAt, options, expiry, hosted, resources };
    const browser = new OpenBrowser(facts, { ...this.#needs, clock: steady });
    this.#add(key, browser);
    if (signal.aborted) await (this.#shutdown.signal.aborted ? browser.close("shutdown") : browser.undo());
    signal.throwIfAborted();
    const { kind, isHeadless } = options;
    const isWarm = warm !== undefined;
    const openMs = Math.round(steady.elapsedMs() - requestedMs);
    metrics.browserOpened(kind, isWarm, openMs);
    log.info("browser.opened", { id, account: account.id, kind, isHeadless, isWarm, sandbox: hosted.id, openMs });
    return browser;
  }

  /** Reserves one of the account's browsers, behind the requests that wait for one. */
  async #admit<T>(accountId: string, attempt: Attempt<T>, time: OpenTime, signal: AbortSignal): Promise<T> {
    const { queue } = this.#needs;
    if (!time.canWait) return await attempt(() => {});
    const admitted = queue.has(accountId) ? undefined : await orFull(attempt(() => {}));
    return admitted ?? (await time.wait((maxMs) => queue.admit(accountId, attempt, maxMs, signal)));
  }

  /** Takes one of the machine's places. */
  async #takePlace(accountId: string, time: OpenTime, signal: AbortSignal): Promise<Disposable> {
    const { capacity } = this.#needs;
    if (!time.canWait) return capacity.take(accountId);
    return capacity.tryTake(accountId) ?? (await time.wait((maxMs) => capacity.wait(accountId, maxMs, signal)));
  }

  /** Starts a new browser as soon as the launch gate permits it. */
  async #launch(spec: BrowserSpec, signal: AbortSignal): Promise<HostedBrowser> {
    using _permit = await this.#needs.gate.acquire(signal);
    return await this.#needs.host.open(spec, signal);
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
    const settled = work.then(
      () => {},
      () => {},
    );
    this.#pending.add(settled);
    void settled.then(() => this.#pending.delete(settled));
    return work;
  }
}

/** @returns Undefined if the account has reached its limit. A request that waits doesn't keep the failure, whose stack is large. */
async function orFull<T>(admitting: Promise<T>): Promise<T | undefined> {
  try {
    return await admitting;
  } catch (error) {
    if (isFailure(error, "BrowserLimit")) return undefined;
    throw error;
  }
}

function toNotFound(selector: BrowserSelector): string {
  return "id" in selector
    ? "This account has no open browser with this id: the browser has closed, or the id is incomplete."
    : "This account has no open browser with this address: the browser has closed, or the address is incomplete.";
}
