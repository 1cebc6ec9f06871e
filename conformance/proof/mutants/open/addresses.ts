import { randomBytes, randomUUID } from "node:crypto";
import { readKey, toAddress } from "../../../../server/src/domain/browser/address.ts";
import type { BrowserSelector } from "../../../../server/src/domain/browser/selector.ts";
import type { OpenBrowser } from "../../../../server/test/interface.ts";
import { type Fault, type Mutant, mutant } from "../../mutant.ts";
import { onText } from "../../faults/alter.ts";
import { instead } from "../../faults/use-cases.ts";

const onAddress = (alter: (address: string) => string): Fault => onText("openBrowser", "address", alter);

const inHex = (bytes: number): string => randomBytes(bytes).toString("hex");

/** Faults in the format, secrecy and uniqueness of addresses. */
export const ADDRESS_MUTANTS: readonly Mutant[] = [
  mutant("address-http", ["RBS-OPEN-01"], "An address begins with http://", () =>
    onAddress((address) => address.replace(/^ws/, "http")),
  ),
  mutant("address-no-scheme", ["RBS-OPEN-01"], "An address has no scheme", () =>
    onAddress((address) => address.replace("ws://", "")),
  ),
  mutant("address-token", ["RBS-OPEN-01"], "An address contains a token in its query", () =>
    onAddress((address) => `${address}?token=${inHex(16)}`),
  ),
  mutant("address-slash", ["RBS-OPEN-01"], "An address ends with a slash", () => onAddress((address) => `${address}/`)),
  mutant("address-listed-otherwise", ["RBS-LIST-01"], "Get returns a different host name from Open", () =>
    onAddress((address) => address.replace("127.0.0.1", "localhost")),
  ),
  mutant("id-short", ["RBS-OPEN-01"], "Ids have eight characters", () => withIds(() => inHex(4))),
  mutant("id-sequential", ["RBS-OPEN-18"], "Ids are sequential numbers", () => {
    let last = 0;
    return withIds(() => String((last += 1)).padStart(32, "0"));
  }),
  mutant("id-time", ["RBS-OPEN-18"], "Ids consist of a timestamp and a few random characters", () =>
    withIds(() => `${process.hrtime.bigint().toString(16).padStart(24, "0")}${inHex(4)}`),
  ),
  mutant("id-of-server", ["RBS-OPEN-18"], "Ids are long, but most of their characters are the server's name", () => {
    const name = inHex(16);
    return withIds(() => name + inHex(4));
  }),
  mutant("id-32-bits-stretched", ["RBS-OPEN-18"], "Ids are four random bytes, repeated", () =>
    withIds(() => inHex(4).repeat(4)),
  ),
  mutant("id-same", ["RBS-OPEN-17"], "Browsers that open in the same second have the same address", () => {
    const ids = new Map<number, string>();
    return withIds(() => {
      const second = Math.floor(Date.now() / 1000);
      const id = ids.get(second) ?? inHex(16);
      ids.set(second, id);
      return id;
    });
  }),
  mutant("id-of-chromium", ["RBS-OPEN-18"], "Ids are Chromium's own UUIDs, with 122 random bits", () =>
    withIds(() => randomUUID()),
  ),
];

/**
 * Replaces the ids in addresses.
 * @param toId Creates the id of a new browser. If two ids are equal, the newer browser replaces the older one.
 */
function withIds(toId: (key: string) => string): Fault {
  /** Maps the server's original addresses to the addresses with replaced ids. */
  const shown = new Map<string, string>();
  const keys = new Map<string, string>();
  const toKey = (id: string): string => keys.get(id) ?? "unknown";
  /** Converts an address with a replaced id back to the original address. */
  const toInner = (selector: BrowserSelector): BrowserSelector => {
    if ("id" in selector) return selector;
    const [, id = ""] = /\/devtools\/browser\/([^/?#]+)/.exec(selector.address) ?? [];
    return { address: toAddress(new URL("http://inner"), toKey(id).padEnd(22, "-")) };
  };
  return {
    services({ localBrowsers: browsers, desktops, ...others }) {
      const right = new WeakMap<OpenBrowser, OpenBrowser>();
      const show = (browser: OpenBrowser): OpenBrowser => {
        const faulty = instead(browser, { address: shown.get(browser.address) ?? browser.address });
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
            shown.set(browser.address, browser.address.replace(key, id));
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
