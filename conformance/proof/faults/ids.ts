import { readKey, toAddress } from "../../../server/src/domain/browser/address.ts";
import type { BrowserSelector } from "../../../server/src/domain/browser/selector.ts";
import type { OpenBrowser } from "../../../server/test/interface.ts";
import type { Fault } from "../mutant.ts";
import { instead } from "./use-cases.ts";

/**
 * Replaces the ids in addresses.
 * @param toId Makes the id of a new browser. If two are equal, the later browser wins.
 */
export function withIds(toId: (key: string) => string): Fault {
  const shown = new Map<string, { readonly id: string; readonly address: string }>();
  const keys = new Map<string, string>();
  const toKey = (id: string): string => keys.get(id) ?? "unknown";
  /** Converts an address with a replaced id to the server's own address. */
  const toInner = (selector: BrowserSelector): BrowserSelector => {
    if ("id" in selector) return selector;
    const [, id = ""] = /\/devtools\/browser\/([^/?#]+)/.exec(selector.address) ?? [];
    return { address: toAddress(new URL("http://inner"), toKey(id).padEnd(22, "-")) };
  };
  const toReportedExchange = (browser: OpenBrowser): OpenBrowser =>
    instead(browser, { address: shown.get(browser.address)?.address ?? browser.address });
  return {
    services({ localBrowsers: browsers, desktops, ...others }) {
      const right = new WeakMap<OpenBrowser, OpenBrowser>();
      const show = (browser: OpenBrowser): OpenBrowser => {
        const faulty = toReportedExchange(browser);
        right.set(faulty, browser);
        return faulty;
      };
      return {
        ...others,
        localBrowsers: instead(browsers, {
          async openNew(...call) {
            const browser = await browsers.openNew(...call);
            const key = readKey(browser.address) ?? "";
            const id = toId(key);
            keys.set(id, key);
            shown.set(browser.address, { id, address: browser.address.replace(key, id) });
            return show(browser);
          },
          find: (account, selector) => browsers.find(account, toInner(selector)),
          findRecent(account, selector) {
            const browser = browsers.findRecent(account, toInner(selector));
            return browser && show(browser);
          },
          findByKey: (id) => browsers.findByKey(toKey(id)),
          list: (account) => browsers.list(account).map(show),
          listRecent: (account) => browsers.listRecent(account).map(show),
        }),
        desktops: instead(desktops, {
          start: (account, selector, base) => desktops.start(account, toInner(selector), base),
          stop: (account, selector) => desktops.stop(account, toInner(selector)),
          passwordOf: (browser) => desktops.passwordOf(right.get(browser) ?? browser),
        }),
      };
    },
  };
}
