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

/** A copy of an object with some members replaced. */
export function instead<T extends object>(right: T, members: Partial<T>): T {
  return new Proxy(right, {
    get(target, name) {
      if (Object.hasOwn(members, name)) return Reflect.get(members, name);
      const value: unknown = Reflect.get(target, name, target);
      // Not a bound function: V8 doesn't accept those as methods that dispose.
      return typeof value === "function" ? (...call: unknown[]) => Reflect.apply(value, target, call) : value;
    },
  });
}

/** What a request names a browser by: the key in its address, or its id. */
export function nameOf(selector: BrowserSelector): string {
  return "id" in selector ? selector.id : (readKey(selector.address) ?? "");
}

/** The open browser of any account that a request names. */
export function findOfAny(browsers: LocalBrowsers, selector: BrowserSelector): OpenBrowser | undefined {
  const name = nameOf(selector);
  return [...browsers.all()].find((browser) => browser.id === name || readKey(browser.address) === name);
}

/** A selector of no browser. */
export const NOWHERE: BrowserSelector = { address: "nowhere" };

/** A fault in how browsers are opened, found, listed and closed. */
export function onBrowsers(change: (browsers: LocalBrowsers) => Partial<LocalBrowsers>): Fault {
  return {
    services: (services) => ({
      ...services,
      localBrowsers: instead(services.localBrowsers, change(services.localBrowsers)),
    }),
  };
}

/** A fault in Open requests. @param openNew Calls `open` for what the server does. */
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

/** A fault in how browsers are opened with Idempotency-Keys. */
export function onKeyed(change: (keyed: KeyedOpens, services: Services) => Partial<KeyedOpens>): Fault {
  return {
    services: (services) => ({ ...services, keyed: instead(services.keyed, change(services.keyed, services)) }),
  };
}

/** A fault in how desktops are started, found and stopped. */
export function onDesktops(change: (desktops: Desktops, browsers: LocalBrowsers) => Partial<Desktops>): Fault {
  return {
    services: (services) => ({
      ...services,
      desktops: instead(services.desktops, change(services.desktops, services.localBrowsers)),
    }),
  };
}

/** A fault in Query. */
export function onQuery(change: (query: Query) => Partial<Query>): Fault {
  return { services: (services) => ({ ...services, query: instead(services.query, change(services.query)) }) };
}

/** A fault of every open browser, however it is obtained. */
export function onBrowser(change: (browser: OpenBrowser) => Partial<OpenBrowser>): Fault {
  const faulty = new WeakMap<OpenBrowser, OpenBrowser>();
  const right = new WeakMap<OpenBrowser, OpenBrowser>();
  const toFaulty = (browser: OpenBrowser): OpenBrowser => {
    const known = faulty.get(browser) ?? instead(browser, change(browser));
    faulty.set(browser, known);
    right.set(known, browser);
    return known;
  };
  return {
    services({ localBrowsers: browsers, desktops, ...others }) {
      return {
        ...others,
        localBrowsers: instead(browsers, {
          openNew: async (...call) => toFaulty(await browsers.openNew(...call)),
          find: (...call) => toFaulty(browsers.find(...call)),
          findByKey(key) {
            const browser = browsers.findByKey(key);
            return browser && toFaulty(browser);
          },
          findRecent(...call) {
            const browser = browsers.findRecent(...call);
            return browser && toFaulty(browser);
          },
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

/** A fault of every started desktop that viewers connect to. */
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

/** A fault that makes other operations check the account like Open. @param check Throws to refuse. */
export function onOtherOperations(check: (account: Account) => void): Fault {
  return {
    services: ({ localBrowsers: browsers, desktops, ...others }) => ({
      ...others,
      desktops,
      localBrowsers: instead(browsers, {
        // The operations pass the whole account.
        list(account) {
          check(account as Account);
          return browsers.list(account);
        },
        find(account, address) {
          check(account as Account);
          return browsers.find(account, address);
        },
      }),
    }),
  };
}

/** What a client receives when its browser closes. */
export type Notice = { readonly code: number; readonly reason: string };

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
