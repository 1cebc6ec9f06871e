import type { BrowserSelector } from "../../../server/src/domain/browser/selector.ts";
import { Failure } from "../../../server/src/domain/failure.ts";
import type { Owner, LocalBrowsers } from "../../../server/test/interface.ts";
import type { Mutant } from "../mutant.ts";
import { onOperation, read, withLocalBrowsers } from "./shown.ts";
import { findOfAny, instead, nameOf, onBrowsers, onDesktops } from "./use-cases.ts";

/** The account that owns a browser, or else the caller's account. */
function ownerOf(browsers: LocalBrowsers, account: Owner, selector: BrowserSelector): Owner {
  const browser = findOfAny(browsers, selector);
  return browser === undefined ? account : { id: browser.accountId };
}

const isOthers = (browsers: LocalBrowsers, account: Owner, selector: BrowserSelector): boolean =>
  ownerOf(browsers, account, selector).id !== account.id;

/** Separation of accounts. */
export const ISOLATION_MUTANTS: readonly Mutant[] = [
  {
    id: "iso-list-all",
    title: "Get lists the browsers of all accounts",
    killedBy: ["RBS-ISO-01"],
    fault: () => onBrowsers((browsers) => ({ list: () => [...browsers.all()] })),
  },
  {
    id: "iso-close-any",
    title: "Close closes the browsers of any account",
    killedBy: ["RBS-ISO-02"],
    fault: () =>
      onBrowsers((browsers) => ({
        find: (account, selector) => browsers.find(ownerOf(browsers, account, selector), selector),
      })),
  },
  {
    id: "iso-start-any",
    title: "Start returns the passwords of any account's desktop",
    killedBy: ["RBS-ISO-02"],
    fault: () =>
      onDesktops((desktops, browsers) => ({
        start: (account, selector, base) => desktops.start(ownerOf(browsers, account, selector), selector, base),
      })),
  },
  {
    id: "iso-stop-any",
    title: "Stop stops the desktops of any account",
    killedBy: ["RBS-ISO-02"],
    fault: () =>
      onDesktops((desktops, browsers) => ({
        stop: (account, selector) => desktops.stop(ownerOf(browsers, account, selector), selector),
      })),
  },
  {
    id: "iso-close-refused-too-late",
    title: "Close of another account's browser answers 404 but closes it",
    killedBy: ["RBS-ISO-02"],
    fault: () =>
      onBrowsers((browsers) => ({
        find(account, selector) {
          if (isOthers(browsers, account, selector)) {
            void findOfAny(browsers, selector)?.close("requested");
          }
          return browsers.find(account, selector);
        },
      })),
  },
  {
    id: "iso-tells-others",
    title: "Close reveals that a browser belongs to another account",
    killedBy: ["RBS-ISO-03"],
    fault: () =>
      onBrowsers((browsers) => ({
        find(account, selector) {
          if (isOthers(browsers, account, selector)) {
            throw new Failure("BrowserNotFound", "This browser belongs to another account.");
          }
          return browsers.find(account, selector);
        },
      })),
  },
  {
    id: "iso-start-tells-headless",
    title: "Start reveals that another account's browser is headless",
    killedBy: ["RBS-ISO-03"],
    fault: () =>
      onDesktops((desktops, browsers) => ({
        async start(account, selector, base) {
          const owner = ownerOf(browsers, account, selector);
          const isHeadless = owner !== account && browsers.find(owner, selector).screen === undefined;
          if (isHeadless) throw new Failure("DesktopUnavailable", "This browser is headless.");
          return desktops.start(account, selector, base);
        },
      })),
  },
  {
    id: "iso-list-empty-for-second",
    title: "Get returns the first account's list to all accounts",
    killedBy: ["RBS-ISO-01"],
    fault: () => {
      let first: Owner | undefined;
      return onBrowsers((browsers) => ({
        list: (account) => browsers.list((first ??= account)),
      }));
    },
  },
  {
    id: "iso-close-any-by-id",
    title: "With an id, Close, Start, Stop and Update work on browsers of any account",
    killedBy: ["RBS-ISO-05"],
    fault: () =>
      onBrowsers((browsers) => ({
        find: (account, selector) =>
          browsers.find("id" in selector ? ownerOf(browsers, account, selector) : account, selector),
      })),
  },
  {
    id: "iso-info-any",
    title: "Info and Wait show browsers of any account",
    killedBy: ["RBS-ISO-02", "RBS-ISO-05"],
    fault: () =>
      onBrowsers((browsers) => ({
        findRecent: (account, selector) => browsers.findRecent(ownerOf(browsers, account, selector), selector),
      })),
  },
  {
    id: "iso-ended-any",
    title: "Info shows ended browsers of any account",
    killedBy: ["RBS-ISO-05"],
    fault: () => ({
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
    }),
  },
  {
    id: "iso-close-all-any",
    title: "CloseAll closes browsers of all accounts",
    killedBy: ["RBS-ISO-06"],
    fault: () =>
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
  },
  {
    id: "iso-history-open",
    title: "The history lists the open browsers of all accounts",
    killedBy: ["RBS-ISO-07"],
    fault: () => onBrowsers((browsers) => ({ listRecent: () => [...browsers.all()] })),
  },
  {
    id: "iso-history-cursor",
    title: "A cursor leads to the browsers of the account that received it",
    killedBy: ["RBS-ISO-07"],
    fault: () => {
      const tokens = new Map<unknown, string>();
      return onOperation("getBrowserHistory", async ({ request, body, next }) => {
        const Authorization = tokens.get(body["cursor"]) ?? request.headers.get("authorization") ?? "";
        const headers = new Headers(request.headers);
        headers.set("authorization", Authorization);
        const response = await next(new Request(request, { headers }));
        const { next: cursor } = await read(response);
        if (typeof cursor === "string") tokens.set(cursor, Authorization);
        return response;
      });
    },
  },
];
