import { orAborted } from "../../concurrency/abortable.ts";
import { releaseOnce } from "../../concurrency/release-once.ts";
import { toSubscription } from "../../domain/account/account.ts";
import type { Plans } from "../../domain/plan/plan.ts";
import { toLimit } from "../../domain/browser/browser.ts";
import { unavailable } from "../../domain/failure.ts";
import type { BrowserMatch, Fleet, ListedBrowser, RecentBrowser } from "../../ports/fleet.ts";
import type { Clock } from "../../ports/clock.ts";
import type { BrowserStore } from "../../ports/store/store.ts";
import type { Desktops } from "../desktops/desktops.ts";
import type { KeyedOpens } from "../admission/keyed-opens.ts";
import type { OpenBrowser } from "../browsers/open-browser.ts";
import type { LocalBrowsers } from "../browsers/local-browsers.ts";
import type { Screenshots } from "../pictures/screenshots.ts";
import { orStoreFailure } from "../store/store-failure.ts";
import type { Thumbnails } from "../pictures/thumbnails.ts";

/** Maximum number of requests waiting for one browser to end. Each takes about 40 KB, mostly for its connection. */
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

/** Returns the fleet of one process, which runs all of its browsers. */
export function newLocalFleet(needs: LocalFleetNeeds): Fleet {
  const { store, plans, clock, localBrowsers, keyed, desktops, thumbnails, screenshots } = needs;
  /** The number of requests waiting for each browser to end. */
  const allWaiting = new WeakMap<OpenBrowser, number>();
  /** Counts a waiting request until disposed. @throws {Failure} `BrowserUnavailable` if too many requests wait. */
  const startWaiting = (browser: OpenBrowser): Disposable => {
    const waiting = allWaiting.get(browser) ?? 0;
    if (waiting >= MAX_WAITING) {
      throw unavailable(`${waiting} requests are already waiting for this browser, which is the limit.`);
    }
    allWaiting.set(browser, waiting + 1);
    return releaseOnce(() => allWaiting.set(browser, (allWaiting.get(browser) ?? 0) - 1));
  };
  const toListed = (browser: OpenBrowser): ListedBrowser => {
    const { id, accountId, address, openedAt, kind, isHeadless, label, tags, proxyHost, clients, due, units } = browser;
    return {
      ...{ id, accountId, address, openedAt, kind, isHeadless, label, tags, proxyHost, clients, due, units },
      ...browser.expiry,
      traffic: browser.traffic,
      hasScreen: browser.screen !== undefined,
      desktopPassword: desktops.passwordOf(browser),
    };
  };
  const toRecent = (browser: OpenBrowser): RecentBrowser => ({ ...toListed(browser), end: browser.end });

  return {
    async openBrowser(call, idempotencyKey) {
      if (idempotencyKey !== undefined) return keyed.openOnce(call, idempotencyKey);
      const { id, address } = await localBrowsers.openNew(call);
      return { id, address };
    },

    list: async (owner) => localBrowsers.list(owner).map(toListed),

    listAll: async () => [...localBrowsers.all()].map(toListed),

    listRecent: async (owner) => localBrowsers.listRecent(owner).map(toRecent),

    async findRecent(owner, selector) {
      const browser = localBrowsers.findRecent(owner, selector);
      return browser && toRecent(browser);
    },

    async wait(owner, selector, maxMs, signal) {
      const browser = localBrowsers.findRecent(owner, selector);
      if (browser === undefined) return undefined;
      using _waiting = startWaiting(browser);
      const { promise: over, resolve } = Promise.withResolvers<void>();
      const cancels = [clock.after(maxMs, resolve), browser.onEnd(resolve)];
      try {
        await orAborted(over, signal);
      } finally {
        for (const cancel of cancels) cancel();
      }
      return toRecent(browser);
    },

    async close(owner, selector) {
      await localBrowsers.find(owner, selector).close("requested");
    },

    async closeMatching(owner, match) {
      const matching = localBrowsers.list(owner).filter((browser) => isMatching(browser, match));
      await Promise.all(matching.map((browser) => browser.close("requested")));
      return matching.length;
    },

    async change(account, selector, { keepOpenMs, lifetimeMs, label, tags }) {
      const browser = localBrowsers.find(account, selector);
      const names = { label: label ?? browser.label, tags: tags ?? browser.tags };
      if (label !== undefined || tags !== undefined) {
        await orStoreFailure(store.rename(browser.id, names));
      }
      const { expiry } = browser;
      const plan = toSubscription(account, plans);
      // Accounts without a plan can't extend their browsers.
      const maxLifetimeMs = plan === undefined ? expiry.lifetimeMs : plan.maxLifetimeMs;
      browser.change({
        ...names,
        expiry: {
          keepOpenMs: keepOpenMs === undefined ? expiry.keepOpenMs : toLimit(keepOpenMs, maxLifetimeMs),
          lifetimeMs: lifetimeMs === undefined ? expiry.lifetimeMs : toLimit(lifetimeMs, maxLifetimeMs),
        },
      });
      return toRecent(browser);
    },

    closeAllOf: (accountId, reason) => localBrowsers.closeAllOf(accountId, reason),

    startDesktop: (owner, selector, base) => desktops.start(owner, selector, base),

    stopDesktop: (owner, selector) => desktops.stop(owner, selector),

    takePicture: async (owner, selector, signal) => thumbnails.take(localBrowsers.find(owner, selector), signal),

    async takeScreenshot(owner, selector, signal) {
      try {
        return await screenshots.take(localBrowsers.find(owner, selector), signal);
      } catch (error) {
        signal.throwIfAborted();
        // If the browser has ended, throws `BrowserNotFound` instead.
        localBrowsers.find(owner, selector);
        throw error;
      }
    },
  };
}

export function isMatching({ label, tags }: Pick<OpenBrowser, "label" | "tags">, match: BrowserMatch): boolean {
  if ("label" in match) return label === match.label;
  return "tag" in match ? tags.includes(match.tag) : match.all;
}
