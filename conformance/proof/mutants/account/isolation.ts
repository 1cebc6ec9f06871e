import type { BrowserSelector } from "../../../../server/src/domain/browser/selector.ts";
import { Failure } from "../../../../server/src/domain/failure.ts";
import type { Owner, LocalBrowsers } from "../../../../server/test/interface.ts";
import { type Mutant, mutant } from "../../mutant.ts";
import { withAuthorization } from "../../faults/alter.ts";
import { onOperation, read, withLocalBrowsers } from "../../faults/shown.ts";
import { findOfAny, instead, nameOf, onBrowsers, onDesktops } from "../../faults/use-cases.ts";

/** Returns the account that owns a browser, or the calling account if no browser matches. */
function ownerOf(browsers: LocalBrowsers, account: Owner, selector: BrowserSelector): Owner {
  const browser = findOfAny(browsers, selector);
  return browser === undefined ? account : { id: browser.accountId };
}

const isOthers = (browsers: LocalBrowsers, account: Owner, selector: BrowserSelector): boolean =>
  ownerOf(browsers, account, selector).id !== account.id;

/** Separation of accounts. */
export const ISOLATION_MUTANTS: readonly Mutant[] = [
  mutant("iso-list-all", ["RBS-ISO-01"], "Get lists the browsers of all accounts", () =>
    onBrowsers((browsers) => ({ list: () => [...browsers.all()] })),
  ),
  mutant("iso-close-any", ["RBS-ISO-02"], "Close closes the browsers of any account", () =>
    onBrowsers((browsers) => ({
      find: (account, selector) => browsers.find(ownerOf(browsers, account, selector), selector),
    })),
  ),
  mutant("iso-start-any", ["RBS-ISO-02"], "Start returns the passwords of any account's desktop", () =>
    onDesktops((desktops, browsers) => ({
      start: (account, selector, base) => desktops.start(ownerOf(browsers, account, selector), selector, base),
    })),
  ),
  mutant("iso-stop-any", ["RBS-ISO-02"], "Stop stops the desktops of any account", () =>
    onDesktops((desktops, browsers) => ({
      stop: (account, selector) => desktops.stop(ownerOf(browsers, account, selector), selector),
    })),
  ),
  mutant("iso-close-refused-too-late", ["RBS-ISO-02"], "Close rejects another account's browser, but closes it", () =>
    onBrowsers((browsers) => ({
      find(account, selector) {
        if (isOthers(browsers, account, selector)) {
          void findOfAny(browsers, selector)?.close("requested");
        }
        return browsers.find(account, selector);
      },
    })),
  ),
  mutant("iso-tells-others", ["RBS-ISO-03"], "Close reveals that a browser belongs to another account", () =>
    onBrowsers((browsers) => ({
      find(account, selector) {
        if (isOthers(browsers, account, selector)) {
          throw new Failure("BrowserNotFound", "This browser belongs to another account.");
        }
        return browsers.find(account, selector);
      },
    })),
  ),
  mutant("iso-start-tells-headless", ["RBS-ISO-03"], "Start reveals that another account's browser is headless", () =>
    onDesktops((desktops, browsers) => ({
      async start(account, selector, base) {
        const owner = ownerOf(browsers, account, selector);
        const isHeadless = owner !== account && browsers.find(owner, selector).screen === undefined;
        if (isHeadless) throw new Failure("DesktopUnavailable", "This browser is headless.");
        return desktops.start(account, selector, base);
      },
    })),
  ),
  mutant("iso-list-empty-for-second", ["RBS-ISO-01"], "Get returns the first account's list to every account", () => {
    let first: Owner | undefined;
    return onBrowsers((browsers) => ({
      list: (account) => browsers.list((first ??= account)),
    }));
  }),
  mutant("iso-close-any-by-id", ["RBS-ISO-05"], "Close, Start, Stop and Update accept any account's browser id", () =>
    onBrowsers((browsers) => ({
      find: (account, selector) =>
        browsers.find("id" in selector ? ownerOf(browsers, account, selector) : account, selector),
    })),
  ),
  mutant("iso-info-any", ["RBS-ISO-02", "RBS-ISO-05"], "Info and Wait show browsers of any account", () =>
    onBrowsers((browsers) => ({
      findRecent: (account, selector) => browsers.findRecent(ownerOf(browsers, account, selector), selector),
    })),
  ),
  mutant("iso-ended-any", ["RBS-ISO-05"], "Info shows ended browsers of any account", () => ({
    services: (services) => {
      const owners = new Map<string, string>();
      const { usage } = services.store;
      const findEnded: typeof usage.findEnded = (accountId, selector) =>
        usage.findEnded(owners.get(nameOf(selector)) ?? accountId, selector);
      const { localBrowsers } = services;
      return {
        ...services,
        store: { ...services.store, usage: { ...usage, findEnded } },
        localBrowsers: instead(localBrowsers, {
          async openNew(...call) {
            const browser = await localBrowsers.openNew(...call);
            owners.set(browser.id, browser.accountId);
            return browser;
          },
        }),
      };
    },
  })),
  mutant("iso-close-all-any", ["RBS-ISO-06"], "CloseAll closes browsers of all accounts", () =>
    withLocalBrowsers((_, localBrowsers) =>
      onOperation("closeAllBrowsers", async ({ request, body: { label, tag }, next }) => {
        const response = await next(request);
        if (response.status !== 200) return response;
        const meant = [...localBrowsers().all()].filter(
          (each) => each.label === label || each.tags.includes(String(tag)),
        );
        await Promise.all(meant.map((each) => each.close("requested")));
        return response;
      }),
    ),
  ),
  mutant("iso-history-open", ["RBS-ISO-07"], "The history lists the open browsers of all accounts", () =>
    onBrowsers((browsers) => ({ listRecent: () => [...browsers.all()] })),
  ),
  mutant("iso-history-cursor", ["RBS-ISO-07"], "A cursor exposes its account's browsers to other accounts", () => {
    const tokens = new Map<unknown, string>();
    return onOperation("getBrowserHistory", async ({ request, body, next }) => {
      const Authorization = tokens.get(body["cursor"]) ?? request.headers.get("authorization") ?? "";
      const response = await next(withAuthorization(request, Authorization));
      const { next: cursor } = await read(response);
      if (typeof cursor === "string") tokens.set(cursor, Authorization);
      return response;
    });
  }),
];
