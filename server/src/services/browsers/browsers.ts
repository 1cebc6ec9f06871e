import { toSubscription, type Account } from "../../domain/account/account.ts";
import { readKey, toAddress } from "../../domain/browser/address.ts";
import { toExpiry } from "../../domain/browser/browser.ts";
import type { EndReason } from "../../domain/browser/end.ts";
import { checkEntitlement } from "../../domain/account/entitlement.ts";
import { Failure } from "../../domain/failure.ts";
import type { OpenOptions } from "../../domain/browser/open-options.ts";
import type { Plans } from "../../domain/account/plan.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { Metrics } from "../../ports/metrics.ts";
import type { BrowserStore } from "../../ports/store.ts";
import type { Capacity } from "./capacity.ts";
import type { AccountEvents } from "./account-events.ts";
import type { Launcher } from "./launcher.ts";
import { OpenBrowser } from "./open-browser.ts";
import { toOutcome } from "./outcome.ts";
import type { ProxyPool } from "./proxy-pool.ts";
import { reserve } from "./reserve.ts";

/** When a restarted server can be expected to answer. */
const RESTART_S = 10;

type Needs = {
  readonly launcher: Launcher;
  /** Gives a proxy to each browser that comes without one. */
  readonly proxies: Pick<ProxyPool, "lease">;
  readonly store: BrowserStore;
  readonly plans: Plans;
  readonly capacity: Capacity;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly events: AccountEvents;
  /** A short id for logs and folders. */
  readonly newId: () => string;
  /** At least 128 random bits, URL-safe: the secret in an address. */
  readonly newKey: () => string;
};

/** Opens, finds, lists and ends browsers. */
export class Browsers {
  readonly #needs: Needs;
  /** The open ones by the secret in their address, in the order they were opened. */
  readonly #open = new Map<string, OpenBrowser>();
  readonly #shutdown = new AbortController();
  /** Opens under way and ends not finished: what a shutdown waits for. */
  readonly #pending = new Set<Promise<unknown>>();

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  /** Aborted when new browsers are refused, with the failure they are refused with. */
  get shutdown(): AbortSignal {
    return this.#shutdown.signal;
  }

  get count(): number {
    return this.#open.size;
  }

  /**
   * @param base What the address begins with: an http(s) URL.
   * @param gone Aborted when the caller has left; then nothing stays open and nothing is charged.
   * @throws {Failure} `NoSubscription`, `NoUnits`, `BrowserLimit` or `BrowserUnavailable`.
   */
  open(account: Account, options: OpenOptions, base: URL, gone: AbortSignal): Promise<OpenBrowser> {
    const opening = this.#track(this.#openOne(account, options, base, gone));
    const { metrics } = this.#needs;
    opening.then(
      () => metrics.openAnswered("ok"),
      (error: unknown) => metrics.openAnswered(toOutcome(error, gone)),
    );
    return opening;
  }

  /** @throws {Failure} `BrowserNotFound` for an address that is unknown, closed, or another account's. */
  find(account: Account, address: string): OpenBrowser {
    const key = readKey(address);
    const browser = key === undefined ? undefined : this.#open.get(key);
    if (browser?.accountId === account.id) return browser;
    throw new Failure(
      "BrowserNotFound",
      "No browser of this account is open under this address: it has closed, or the address is incomplete.",
    );
  }

  /** The browser behind a key, whosever it is: the key is the right to connect. */
  findByKey(key: string): OpenBrowser | undefined {
    return this.#open.get(key);
  }

  /** All open browsers, whosever they are. */
  all(): Iterable<OpenBrowser> {
    return this.#open.values();
  }

  /** The account's open browsers, the first opened first. */
  list(account: Account): OpenBrowser[] {
    return [...this.#open.values()].filter((browser) => browser.accountId === account.id);
  }

  /** Ends an account's open browsers; resolves when nothing of them is left. */
  async closeAllOf(accountId: string, reason: EndReason): Promise<void> {
    const own = [...this.#open.values()].filter((browser) => browser.accountId === accountId);
    await Promise.all(own.map((browser) => browser.close(reason)));
  }

  /** Refuses new browsers from now on, as a shutdown begins. */
  refuse(): void {
    const message = "This server is shutting down and opens no more browsers: try again when it has restarted.";
    this.#shutdown.abort(new Failure("BrowserUnavailable", message, { retryAfterS: RESTART_S }));
  }

  /** Resolves when no browser is open and none is being opened or ended. */
  async idle(): Promise<void> {
    while (this.#open.size > 0 || this.#pending.size > 0) {
      await Promise.race([...this.#pending, ...[...this.#open.values()].map((browser) => browser.ended)]);
    }
  }

  /** Ends all browsers, those being opened among them; resolves when nothing of them is left. */
  async closeAll(reason: EndReason): Promise<void> {
    this.refuse();
    for (const browser of this.#open.values()) void browser.close(reason);
    await this.idle();
  }

  async #openOne(account: Account, options: OpenOptions, base: URL, gone: AbortSignal): Promise<OpenBrowser> {
    const { launcher, proxies, plans, capacity, clock, log, metrics, events } = this.#needs;
    this.#shutdown.signal.throwIfAborted();
    const requestedAt = clock.now();
    const id = this.#needs.newId();
    await using acquired = new AsyncDisposableStack();
    const subscription = toSubscription(account, plans);
    const reservation = acquired.use(
      await reserve(
        { browserId: id, accountId: account.id, kind: options.kind, label: options.label, requestedAt },
        (standing) => checkEntitlement(subscription, account.hasAdditionalUnits, standing, capacity.limit),
        this.#needs,
      ),
    );
    acquired.use(capacity.take());
    const signal = AbortSignal.any([gone, this.#shutdown.signal]);
    const lease = acquired.use(options.proxy === undefined ? await proxies.lease(signal) : undefined);
    const proxy = options.proxy ?? lease?.proxy;
    const spec = { ...options, proxy, id };
    const { hosted, isWarm, cell } = await launcher.open(spec, signal);
    acquired.use(hosted);
    signal.throwIfAborted();
    const key = this.#needs.newKey();
    const address = toAddress(base, key);
    const openedAt = clock.now();
    await reservation.commit(address, openedAt);
    const browser = new OpenBrowser({
      ...this.#needs,
      id,
      kind: options.kind,
      isHeadless: options.isHeadless,
      proxyHost: proxy?.host,
      accountId: account.id,
      address,
      openedHost: base.host,
      label: options.label,
      openedAt,
      stay: toExpiry(options.keepOpenMs, subscription?.maxLifetimeMs),
      hosted,
      resources: acquired.move(),
    });
    this.#open.set(key, browser);
    void browser.ended.then(() => {
      this.#open.delete(key);
      events.emit(account.id);
    });
    events.emit(account.id);
    void this.#track(browser.closed);
    if (signal.aborted) await browser.close(this.#shutdown.signal.aborted ? "shutdown" : "requested");
    signal.throwIfAborted();
    metrics.browserOpened(options.kind, isWarm, +openedAt - +requestedAt);
    log.info("browser.opened", {
      id,
      account: account.id,
      kind: options.kind,
      isHeadless: options.isHeadless,
      isWarm,
      cell,
      openMs: +openedAt - +requestedAt,
    });
    return browser;
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
