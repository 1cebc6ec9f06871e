import { orAborted } from "../../concurrency/abortable.ts";
import { releaseOnce } from "../../concurrency/release-once.ts";
import { type Account, toSubscription } from "../../domain/account/account.ts";
import type { Plans } from "../../domain/plan/plan.ts";
import { toLimit } from "../../domain/browser/browser.ts";
import type { BrowserSelector } from "../../domain/browser/selector.ts";
import type { DesktopAccess } from "../../domain/browser/desktop.ts";
import type { EndReason } from "../../domain/browser/end.ts";
import { unavailable } from "../../domain/failure.ts";
import type { DatedThumbnail, Picture } from "../../ports/display.ts";
import type {
  BrowserChange,
  BrowserMatch,
  Fleet,
  ListedBrowser,
  OpenCall,
  Owner,
  RecentBrowser,
} from "../../ports/fleet.ts";
import type { Clock } from "../../ports/clock.ts";
import type { BrowserStore } from "../../ports/store/store.ts";
import type { Desktops } from "../desktops/desktops.ts";
import type { KeyedOpens } from "../admission/keyed-opens.ts";
import type { OpenBrowser } from "../browsers/open-browser.ts";
import type { LocalBrowsers } from "../browsers/local-browsers.ts";
import type { Screenshots } from "../pictures/screenshots.ts";
import { orStoreFailure } from "../store/store-failure.ts";
import type { Thumbnails } from "../pictures/thumbnails.ts";

/** Requests that may wait for the end of one browser. Each takes about 40 KB, most of them for its connection. */
const MAX_WAITING = 100;

type LocalFleetNeeds = {
  readonly store: Pick<BrowserStore, "rename">;
  readonly plans: Plans;
  readonly clock: Pick<Clock, "after">;
  readonly localBrowsers: LocalBrowsers;
  readonly keyed: Pick<KeyedOpens, "openOnce">;
  readonly desktops: Pick<Desktops, "start" | "stop" | "passwordOf">;
  readonly thumbnails: Pick<Thumbnails, "take">;
  readonly screenshots: Pick<Screenshots, "take">;
};

/** The fleet of one process: all of its browsers run here. */
export class LocalFleet implements Fleet {
  readonly #needs: LocalFleetNeeds;
  /** How many requests wait for each browser's end. */
  readonly #waiting = new WeakMap<OpenBrowser, number>();

  constructor(needs: LocalFleetNeeds) {
    this.#needs = needs;
  }

  async openBrowser(call: OpenCall, idempotencyKey?: string): ReturnType<Fleet["openBrowser"]> {
    if (idempotencyKey !== undefined) return this.#needs.keyed.openOnce(call, idempotencyKey);
    const { id, address } = await this.#needs.localBrowsers.openNew(call);
    return { id, address };
  }

  async list(owner: Owner): Promise<ListedBrowser[]> {
    return this.#needs.localBrowsers.list(owner).map((browser) => this.#toListed(browser));
  }

  async listAll(): Promise<ListedBrowser[]> {
    return [...this.#needs.localBrowsers.all()].map((browser) => this.#toListed(browser));
  }

  async listRecent(owner: Owner): Promise<RecentBrowser[]> {
    return this.#needs.localBrowsers.listRecent(owner).map((browser) => this.#toRecent(browser));
  }

  async findRecent(owner: Owner, selector: BrowserSelector): Promise<RecentBrowser | undefined> {
    const browser = this.#needs.localBrowsers.findRecent(owner, selector);
    return browser && this.#toRecent(browser);
  }

  async wait(
    owner: Owner,
    selector: BrowserSelector,
    maxMs: number,
    signal: AbortSignal,
  ): Promise<RecentBrowser | undefined> {
    const browser = this.#needs.localBrowsers.findRecent(owner, selector);
    if (browser === undefined) return undefined;
    using _waiting = this.#startWaiting(browser);
    const { promise: over, resolve } = Promise.withResolvers<void>();
    const cancels = [this.#needs.clock.after(maxMs, resolve), browser.onEnd(resolve)];
    try {
      await orAborted(over, signal);
    } finally {
      for (const cancel of cancels) cancel();
    }
    return this.#toRecent(browser);
  }

  async close(owner: Owner, selector: BrowserSelector): Promise<void> {
    await this.#needs.localBrowsers.find(owner, selector).close("requested");
  }

  async closeMatching(owner: Owner, match: BrowserMatch): Promise<number> {
    const matching = this.#needs.localBrowsers.list(owner).filter((browser) => isMatching(browser, match));
    await Promise.all(matching.map((browser) => browser.close("requested")));
    return matching.length;
  }

  async change(
    account: Account,
    selector: BrowserSelector,
    { keepOpenMs, lifetimeMs, label, tags }: BrowserChange,
  ): Promise<RecentBrowser> {
    const { localBrowsers, store, plans } = this.#needs;
    const browser = localBrowsers.find(account, selector);
    const names = { label: label ?? browser.label, tags: tags ?? browser.tags };
    if (label !== undefined || tags !== undefined) {
      await orStoreFailure(store.rename(browser.id, names));
    }
    const { expiry } = browser;
    const plan = toSubscription(account, plans);
    // An account that has lost its plan can't extend its browsers.
    const maxLifetimeMs = plan === undefined ? expiry.lifetimeMs : plan.maxLifetimeMs;
    browser.change({
      ...names,
      expiry: {
        keepOpenMs: keepOpenMs === undefined ? expiry.keepOpenMs : toLimit(keepOpenMs, maxLifetimeMs),
        lifetimeMs: lifetimeMs === undefined ? expiry.lifetimeMs : toLimit(lifetimeMs, maxLifetimeMs),
      },
    });
    return this.#toRecent(browser);
  }

  closeAllOf(accountId: string, reason: EndReason): Promise<void> {
    return this.#needs.localBrowsers.closeAllOf(accountId, reason);
  }

  startDesktop(owner: Owner, selector: BrowserSelector, base: URL): Promise<DesktopAccess> {
    return this.#needs.desktops.start(owner, selector, base);
  }

  stopDesktop(owner: Owner, selector: BrowserSelector): Promise<void> {
    return this.#needs.desktops.stop(owner, selector);
  }

  async takePicture(owner: Owner, selector: BrowserSelector, signal: AbortSignal): Promise<DatedThumbnail | undefined> {
    const { localBrowsers, thumbnails } = this.#needs;
    return thumbnails.take(localBrowsers.find(owner, selector), signal);
  }

  async takeScreenshot(owner: Owner, selector: BrowserSelector, signal: AbortSignal): Promise<Picture> {
    const { localBrowsers, screenshots } = this.#needs;
    try {
      return await screenshots.take(localBrowsers.find(owner, selector), signal);
    } catch (error) {
      signal.throwIfAborted();
      // If it has ended by now, that is the answer.
      localBrowsers.find(owner, selector);
      throw error;
    }
  }

  /** Counts a request that waits for the browser's end. Disposing ends that. @throws {Failure} `BrowserUnavailable` */
  #startWaiting(browser: OpenBrowser): Disposable {
    const waiting = this.#waiting.get(browser) ?? 0;
    if (waiting >= MAX_WAITING) {
      throw unavailable(`${waiting} requests already wait for this browser, which is the limit.`);
    }
    this.#waiting.set(browser, waiting + 1);
    return releaseOnce(() => this.#waiting.set(browser, (this.#waiting.get(browser) ?? 0) - 1));
  }

  #toRecent(browser: OpenBrowser): RecentBrowser {
    return { ...this.#toListed(browser), end: browser.end };
  }

  #toListed(browser: OpenBrowser): ListedBrowser {
    const { id, accountId, address, openedAt, kind, isHeadless, label, tags, proxyHost, clients, due, units } = browser;
    return {
      ...{ id, accountId, address, openedAt, kind, isHeadless, label, tags, proxyHost, clients, due, units },
      ...browser.expiry,
      traffic: browser.traffic,
      hasScreen: browser.screen !== undefined,
      desktopPassword: this.#needs.desktops.passwordOf(browser),
    };
  }
}

export function isMatching({ label, tags }: Pick<OpenBrowser, "label" | "tags">, match: BrowserMatch): boolean {
  if ("label" in match) return label === match.label;
  return "tag" in match ? tags.includes(match.tag) : match.all;
}
