import { readKey } from "../../../../server/src/domain/browser/address.ts";
import type { OpenBrowser } from "../../../../server/test/interface.ts";
import { type Fault, type Mutant, mutant } from "../../mutant.ts";
import { onFailure, onSuccess } from "../../faults/alter.ts";
import { NOWHERE, type Notice, instead, nameOf, onBrowser, onBrowsers, onNotice } from "../../faults/use-cases.ts";

const isRequested = ({ reason }: Notice): boolean => reason.endsWith("requested");

/** Makes Close hide browsers without closing them. @param isFoundByKey Whether the browsers' addresses still work. */
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

/** Faults in Close. */
export const CLOSE_MUTANTS: readonly Mutant[] = [
  mutant("close-late", ["RBS-CLOSE-01", "RBS-CLOSE-02"], "Close responds two seconds before the browser closes", () =>
    onBrowser((browser) => ({
      close: async (reason) => void setTimeout(() => void browser.close(reason), 2000).unref(),
    })),
  ),
  mutant("close-nothing", ["RBS-CLOSE-01", "RBS-CLOSE-02", "RBS-CLOSE-04", "RBS-FUZZ-10"], "Close does nothing", () =>
    onBrowser(() => ({ close: async () => {} })),
  ),
  mutant("close-unlists-only", ["RBS-CLOSE-04"], "A closed browser is unlisted but still accepts connections", () =>
    onlyUnlists(true),
  ),
  mutant("close-leaves-clients", ["RBS-CLOSE-05"], "A closed browser rejects new clients but keeps current ones", () =>
    onlyUnlists(false),
  ),
  mutant("close-code", ["RBS-CLOSE-05"], "Clients of a closed browser receive the code 1001 instead of 1000", () =>
    onNotice((notice) => (isRequested(notice) ? { ...notice, code: 1001 } : notice)),
  ),
  mutant("close-reason-missing", ["RBS-CLOSE-05"], "Clients of a closed browser receive no close reason", () =>
    onNotice(({ code }) => ({ code, reason: "" })),
  ),
  mutant("close-reason-other", ["RBS-CLOSE-05"], "Clients of a closed browser receive the close reason exited", () =>
    onNotice((notice) => (isRequested(notice) ? { ...notice, reason: "browser closed: exited" } : notice)),
  ),
  mutant("close-by-whole-address", ["RBS-CLOSE-03"], "Close compares whole addresses instead of ids", () =>
    onBrowsers((browsers) => ({
      find(account, selector) {
        const browser = browsers.find(account, selector);
        return "id" in selector || browser.address === selector.address ? browser : browsers.find(account, NOWHERE);
      },
    })),
  ),
  mutant("close-by-part-of-id", ["RBS-CLOSE-06"], "Close only compares the first ten characters of an id", () =>
    onBrowsers((browsers) => ({
      find(account, selector) {
        const begin = nameOf(selector).slice(0, 10);
        const meant = browsers.list(account).find((each) => readKey(each.address)?.slice(0, 10) === begin);
        return browsers.find(account, meant === undefined ? selector : { address: meant.address });
      },
    })),
  ),
  mutant("close-all", ["RBS-CLOSE-07"], "Close closes all browsers of the account", () =>
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
  ),
  mutant("close-next-too", ["RBS-MODEL-03"], "Closing a browser with a started desktop also closes the next one", () =>
    onBrowser((browser, { localBrowsers, desktops }) => ({
      async close(reason) {
        const isWatched = desktops.passwordOf(browser) !== undefined;
        const mine = [...localBrowsers.all()].filter((each) => each.accountId === browser.accountId);
        if (isWatched) await mine[mine.indexOf(browser) + 1]?.close(reason);
        return browser.close(reason);
      },
    })),
  ),
  mutant("close-unknown-200", ["RBS-CLOSE-06"], "Close returns 200 for an unknown address", () =>
    onFailure("BrowserNotFound", (_, request) =>
      request.url.toLowerCase().endsWith("/close") ? { status: 200, body: { status: 200 } } : {},
    ),
  ),
  mutant("close-answers-address", ["RBS-ANSWER-02"], "Close returns status as a string", () =>
    onSuccess("closeBrowser", () => ({ status: "closed" })),
  ),
];
