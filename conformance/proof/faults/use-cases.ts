import type { Account } from "../../../server/src/domain/account/account.ts";
import { readKey } from "../../../server/src/domain/browser/address.ts";
import type { BrowserSelector } from "../../../server/src/domain/browser/selector.ts";
import type {
  Desktop,
  Desktops,
  LocalBrowsers,
  OpenBrowser,
  KeyedOpens,
  Services,
  Query,
  OpenCall,
} from "../../../server/test/interface.ts";
import type { Fault } from "../mutant.ts";

/** Copies an object with some members replaced. */
export function instead<T extends object>(right: T, members: Partial<T>): T {
  return new Proxy(right, {
    get(target, name) {
      if (Object.hasOwn(members, name)) return Reflect.get(members, name);
      const value: unknown = Reflect.get(target, name, target);
      // V8 doesn't accept bound functions as dispose methods.
      return typeof value === "function" ? (...call: unknown[]) => Reflect.apply(value, target, call) : value;
    },
  });
}

/** Returns the name by which a request refers to a browser: the browser's id, or the key in its address. */
export function nameOf(selector: BrowserSelector): string {
  return "id" in selector ? selector.id : (readKey(selector.address) ?? "");
}

/** Finds the open browser that a request refers to, in any account. */
export function findOfAny(browsers: LocalBrowsers, selector: BrowserSelector): OpenBrowser | undefined {
  const name = nameOf(selector);
  return [...browsers.all()].find((browser) => browser.id === name || readKey(browser.address) === name);
}

/** Selects no browser. */
export const NOWHERE: BrowserSelector = { address: "nowhere" };

/** Changes one of the server's services. */
function onService<Name extends "localBrowsers" | "keyed" | "desktops" | "query">(
  name: Name,
  change: (service: Services[Name], services: Services) => Partial<Services[Name]>,
): Fault {
  return {
    services: (services) => ({ ...services, [name]: instead(services[name], change(services[name], services)) }),
  };
}

/** Changes how browsers are opened, found, listed and closed. */
export function onBrowsers(change: (browsers: LocalBrowsers, services: Services) => Partial<LocalBrowsers>): Fault {
  return onService("localBrowsers", change);
}

/** Changes Open. @param openNew Calls `open` to run the server's own implementation. */
export function onOpen(
  openNew: (
    call: OpenCall,
    open: (call: OpenCall) => Promise<OpenBrowser>,
    browsers: LocalBrowsers,
  ) => Promise<OpenBrowser>,
): Fault {
  return onBrowsers((browsers) => ({
    openNew: (call, ...rest) => openNew(call, (changed) => browsers.openNew(changed, ...rest), browsers),
  }));
}

/** Changes how the server opens browsers for requests with an Idempotency-Key. */
export function onKeyed(change: (keyed: KeyedOpens, services: Services) => Partial<KeyedOpens>): Fault {
  return onService("keyed", change);
}

/** Changes how desktops are started, found and stopped. */
export function onDesktops(change: (desktops: Desktops, browsers: LocalBrowsers) => Partial<Desktops>): Fault {
  return onService("desktops", (desktops, { localBrowsers }) => change(desktops, localBrowsers));
}

/** Changes Query. */
export function onQuery(change: (query: Query) => Partial<Query>): Fault {
  return onService("query", change);
}

/** Changes every open browser, no matter which method returns it. */
export function onBrowser(change: (browser: OpenBrowser, services: Services) => Partial<OpenBrowser>): Fault {
  const faulty = new WeakMap<OpenBrowser, OpenBrowser>();
  const right = new WeakMap<OpenBrowser, OpenBrowser>();
  return {
    services(services) {
      const { localBrowsers: browsers, desktops } = services;
      const toFaulty = (browser: OpenBrowser): OpenBrowser => {
        const known = faulty.get(browser) ?? instead(browser, change(browser, services));
        faulty.set(browser, known);
        right.set(known, browser);
        return known;
      };
      const ifFound = (browser: OpenBrowser | undefined): OpenBrowser | undefined => browser && toFaulty(browser);
      return {
        ...services,
        localBrowsers: instead(browsers, {
          openNew: async (...call) => toFaulty(await browsers.openNew(...call)),
          find: (...call) => toFaulty(browsers.find(...call)),
          findByKey: (key) => ifFound(browsers.findByKey(key)),
          findRecent: (...call) => ifFound(browsers.findRecent(...call)),
          list: (account) => browsers.list(account).map(toFaulty),
          listRecent: (account) => browsers.listRecent(account).map(toFaulty),
        }),
        desktops: instead(desktops, {
          passwordOf: (browser) => desktops.passwordOf(right.get(browser) ?? browser),
        }),
      };
    },
  };
}

/** Injects a fault into every started desktop that viewers connect to. */
export function onDesktop(change: (desktop: Desktop, browsers: LocalBrowsers) => Partial<Desktop>): Fault {
  const faulty = new WeakMap<Desktop, Desktop>();
  return onDesktops((desktops, browsers) => ({
    findByKey(key) {
      const desktop = desktops.findByKey(key);
      if (desktop === undefined) return undefined;
      const known = faulty.get(desktop) ?? instead(desktop, change(desktop, browsers));
      faulty.set(desktop, known);
      return known;
    },
  }));
}

/** Makes other operations check the account as Open does. @param check Throws to reject the request. */
export function onOtherOperations(check: (account: Account) => void): Fault {
  return onBrowsers((browsers) => ({
    // `account` is declared as an Owner, but operations always pass the whole account.
    list(account) {
      check(account as Account);
      return browsers.list(account);
    },
    find(account, address) {
      check(account as Account);
      return browsers.find(account, address);
    },
  }));
}

/** The close code and reason that a client receives when its browser closes. */
export type Notice = { readonly code: number; readonly reason: string };

/** Alters the close code and reason that clients receive when their browser closes. */
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
