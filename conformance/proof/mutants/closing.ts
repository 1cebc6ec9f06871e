import { readKey } from "../../../server/src/domain/browser/address.ts";
import type { OpenBrowser } from "../../../server/test/interface.ts";
import type { Fault, Mutant } from "../mutant.ts";
import { onAnswer, onFailure } from "./alter.ts";
import { instead, nameOf, NOWHERE, onBrowser, onBrowsers } from "./use-cases.ts";

type Notice = { readonly code: number; readonly reason: string };

/** A fault in the close code and reason that clients receive when their browser closes. */
export function onNotice(alter: (notice: Notice) => Notice): Fault {
  return onBrowser((browser) => ({
    join: (client) =>
      browser.join({
        end(code, reason) {
          const altered = alter({ code, reason });
          client.end(altered.code, altered.reason);
        },
      }),
  }));
}

const isRequested = ({ reason }: Notice): boolean => reason.endsWith("requested");

/** Hides closed browsers from the list without closing them. */
function onlyUnlists(isFoundByKey: boolean): Fault {
  const gone = new WeakSet<OpenBrowser>();
  return onBrowsers((browsers) => ({
    find(account, address) {
      const browser = browsers.find(account, address);
      if (gone.has(browser)) return browsers.find(account, NOWHERE);
      return instead(browser, { close: async () => void gone.add(browser) });
    },
    list: (account) => browsers.list(account).filter((browser) => !gone.has(browser)),
    findByKey(key) {
      const browser = browsers.findByKey(key);
      return browser !== undefined && !isFoundByKey && gone.has(browser) ? undefined : browser;
    },
  }));
}

/** What Close does, and which browsers it affects. */
export const CLOSE_MUTANTS: readonly Mutant[] = [
  {
    id: "close-late",
    title: "Close answers two seconds before the browser is closed",
    killedBy: ["RBS-CLOSE-01", "RBS-CLOSE-02"],
    fault: () =>
      onBrowser((browser) => ({
        close: async (reason) => void setTimeout(() => void browser.close(reason), 2000).unref(),
      })),
  },
  {
    id: "close-nothing",
    title: "Close answers 200 and closes nothing",
    killedBy: ["RBS-CLOSE-01", "RBS-CLOSE-02", "RBS-CLOSE-04", "RBS-FUZZ-10"],
    fault: () => onBrowser(() => ({ close: async () => {} })),
  },
  {
    id: "close-unlists-only",
    title: "A closed browser is no longer listed, but still accepts connections",
    killedBy: ["RBS-CLOSE-04"],
    fault: () => onlyUnlists(true),
  },
  {
    id: "close-leaves-clients",
    title: "A closed browser refuses new clients, but keeps its current ones",
    killedBy: ["RBS-CLOSE-05"],
    fault: () => onlyUnlists(false),
  },
  {
    id: "close-code",
    title: "Clients of a closed browser receive 1001 instead of 1000",
    killedBy: ["RBS-CLOSE-05"],
    fault: () => onNotice((notice) => (isRequested(notice) ? { ...notice, code: 1001 } : notice)),
  },
  {
    id: "close-reason-missing",
    title: "Clients of a closed browser receive no reason",
    killedBy: ["RBS-CLOSE-05"],
    fault: () => onNotice(({ code }) => ({ code, reason: "" })),
  },
  {
    id: "close-reason-other",
    title: "Clients of a closed browser receive the reason of a browser that exited",
    killedBy: ["RBS-CLOSE-05"],
    fault: () => onNotice((notice) => (isRequested(notice) ? { ...notice, reason: "browser closed: exited" } : notice)),
  },
  {
    id: "close-by-whole-address",
    title: "Close compares whole addresses instead of ids",
    killedBy: ["RBS-CLOSE-03"],
    fault: () =>
      onBrowsers((browsers) => ({
        find(account, selector) {
          const browser = browsers.find(account, selector);
          return "id" in selector || browser.address === selector.address ? browser : browsers.find(account, NOWHERE);
        },
      })),
  },
  {
    id: "close-by-part-of-id",
    title: "Close compares only the first ten characters of an id",
    killedBy: ["RBS-CLOSE-06"],
    fault: () =>
      onBrowsers((browsers) => ({
        find(account, selector) {
          const begin = nameOf(selector).slice(0, 10);
          const meant = browsers.list(account).find((each) => readKey(each.address)?.slice(0, 10) === begin);
          return browsers.find(account, meant === undefined ? selector : { address: meant.address });
        },
      })),
  },
  {
    id: "close-all",
    title: "Close closes all browsers of the account",
    killedBy: ["RBS-CLOSE-07"],
    fault: () =>
      onBrowsers((browsers) => ({
        find(account, address) {
          const browser = browsers.find(account, address);
          return instead(browser, {
            async close(reason) {
              await Promise.all(browsers.list(account).map((each) => each.close(reason)));
            },
          });
        },
      })),
  },
  {
    id: "close-next-too",
    title: "Close of a browser whose desktop is started also closes the next browser",
    killedBy: ["RBS-MODEL-01"],
    fault: () => ({
      services: (services) => {
        const { localBrowsers: browsers, desktops } = services;
        const closing = onBrowser((browser) => ({
          async close(reason) {
            const isWatched = desktops.passwordOf(browser) !== undefined;
            const mine = [...browsers.all()].filter((each) => each.accountId === browser.accountId);
            if (isWatched) await mine[mine.indexOf(browser) + 1]?.close(reason);
            return browser.close(reason);
          },
        }));
        return closing.services?.(services) ?? services;
      },
    }),
  },
  {
    id: "close-unknown-200",
    title: "Close of an unknown address answers 200",
    killedBy: ["RBS-CLOSE-06"],
    fault: () =>
      onFailure("BrowserNotFound", (_, request) =>
        request.url.toLowerCase().endsWith("/close") ? { status: 200, body: { status: 200 } } : {},
      ),
  },
  {
    id: "close-answers-address",
    title: "Close returns status as a string",
    killedBy: ["RBS-ANSWER-02"],
    fault: () => onAnswer("closeBrowser", ({ status }) => (status === 200 ? { body: { status: "closed" } } : {})),
  },
];
