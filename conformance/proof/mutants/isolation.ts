import { readKey } from "../../../server/src/domain/browser/address.ts";
import { Failure } from "../../../server/src/domain/failure.ts";
import type { Owner, Residents } from "../../../server/test/interface.ts";
import type { Mutant } from "../mutant.ts";
import { onBrowsers, onDesktops } from "./use-cases.ts";

/** The account that owns a browser, or else the caller's account. */
function ownerOf(browsers: Residents, account: Owner, address: string): Owner {
  const browser = browsers.findByKey(readKey(address) ?? "");
  return browser === undefined ? account : { id: browser.accountId };
}

const isOthers = (browsers: Residents, account: Owner, address: string): boolean =>
  ownerOf(browsers, account, address).id !== account.id;

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
        find: (account, address) => browsers.find(ownerOf(browsers, account, address), address),
      })),
  },
  {
    id: "iso-start-any",
    title: "Start returns the passwords of any account's desktop",
    killedBy: ["RBS-ISO-02"],
    fault: () =>
      onDesktops((desktops, browsers) => ({
        start: (account, address, base) => desktops.start(ownerOf(browsers, account, address), address, base),
      })),
  },
  {
    id: "iso-stop-any",
    title: "Stop stops the desktops of any account",
    killedBy: ["RBS-ISO-02"],
    fault: () =>
      onDesktops((desktops, browsers) => ({
        stop: (account, address) => desktops.stop(ownerOf(browsers, account, address), address),
      })),
  },
  {
    id: "iso-close-refused-too-late",
    title: "Close of another account's browser answers 404 but closes it",
    killedBy: ["RBS-ISO-02"],
    fault: () =>
      onBrowsers((browsers) => ({
        find(account, address) {
          if (isOthers(browsers, account, address)) {
            void browsers.findByKey(readKey(address) ?? "")?.close("requested");
          }
          return browsers.find(account, address);
        },
      })),
  },
  {
    id: "iso-tells-others",
    title: "Close reveals that a browser belongs to another account",
    killedBy: ["RBS-ISO-03"],
    fault: () =>
      onBrowsers((browsers) => ({
        find(account, address) {
          if (isOthers(browsers, account, address)) {
            throw new Failure("BrowserNotFound", "This browser belongs to another account.");
          }
          return browsers.find(account, address);
        },
      })),
  },
  {
    id: "iso-start-tells-headless",
    title: "Start reveals that another account's browser is headless",
    killedBy: ["RBS-ISO-03"],
    fault: () =>
      onDesktops((desktops, browsers) => ({
        async start(account, address, base) {
          const owner = ownerOf(browsers, account, address);
          const isHeadless = owner !== account && browsers.find(owner, address).screen === undefined;
          if (isHeadless) throw new Failure("DesktopUnavailable", "This browser is headless.");
          return desktops.start(account, address, base);
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
];
