import { setTimeout as sleep } from "node:timers/promises";
import type { ViewerPasswords } from "../../../server/src/domain/browser/desktop.ts";
import { Failure } from "../../../server/src/domain/failure.ts";
import type { OpenBrowser } from "../../../server/test/interface.ts";
import type { Mutant } from "../mutant.ts";
import { withPasswords } from "./passwords.ts";
import { onBrowser, onBrowsers, onDesktops } from "./use-cases.ts";

/** Faults that show after certain steps only. */
export const SEQUENCE_MUTANTS: readonly Mutant[] = [
  {
    id: "sequence-list-cached",
    title: "The list is made anew when a browser was opened, not when one was closed",
    killedBy: ["RBS-MODEL-01"],
    fault: () => {
      const lists = new Map<string, OpenBrowser[]>();
      return onBrowsers((browsers) => ({
        async open(account, ...rest) {
          const browser = await browsers.open(account, ...rest);
          lists.delete(account.id);
          return browser;
        },
        list(account) {
          const list = lists.get(account.id) ?? browsers.list(account);
          lists.set(account.id, list);
          return list;
        },
      }));
    },
  },
  {
    id: "sequence-close-while-closing",
    title: "A Close that comes while the same browser is being closed fails with 500",
    killedBy: ["RBS-MODEL-02"],
    fault: () => {
      const closing = new Set<string>();
      return onBrowser((browser) => ({
        async close(reason) {
          if (closing.has(browser.id)) throw new Failure("Unknown", "It is gone, but not quite.");
          closing.add(browser.id);
          // As long as a real browser may take.
          await sleep(100);
          return browser.close(reason);
        },
      }));
    },
  },
  {
    id: "sequence-tenth-open",
    title: "Every tenth Open fails with 500",
    killedBy: ["RBS-MODEL-01"],
    fault: () => {
      let count = 0;
      return onBrowsers((browsers) => ({
        async open(...call) {
          count += 1;
          if (count % 10 === 0) throw new Failure("Unknown", "Something went wrong.");
          return browsers.open(...call);
        },
      }));
    },
  },
  {
    id: "sequence-third-start",
    title: "A desktop that is started for the third time has the passwords of the first",
    killedBy: ["RBS-MODEL-01"],
    fault: () => {
      const starts = new WeakMap<OpenBrowser, ViewerPasswords[]>();
      return withPasswords((right, browser) => {
        const before = starts.get(browser) ?? [];
        starts.set(browser, [...before, right]);
        return before.length >= 2 ? (before[0] ?? right) : right;
      });
    },
  },
  {
    id: "sequence-stop-forgets-others",
    title: "Stop of one desktop takes the passwords of the account's other ones off the list",
    killedBy: ["RBS-MODEL-02"],
    fault: () => {
      const forgotten = new WeakSet<OpenBrowser>();
      return onDesktops((desktops, browsers) => ({
        async stop(account, address) {
          await desktops.stop(account, address);
          for (const browser of browsers.list(account)) forgotten.add(browser);
        },
        async start(account, address, base) {
          forgotten.delete(browsers.find(account, address));
          return desktops.start(account, address, base);
        },
        passwordOf: (browser) => (forgotten.has(browser) ? undefined : desktops.passwordOf(browser)),
      }));
    },
  },
  {
    id: "sequence-closed-desktop-blocks",
    title: "Once a browser was closed with its desktop started, no desktop of the account starts any more",
    killedBy: ["RBS-MODEL-01"],
    fault: () => {
      const blocked = new Set<string>();
      return onDesktops((desktops, browsers) => ({
        async start(account, address, base) {
          const browser = browsers.find(account, address);
          if (blocked.has(account.id)) throw new Failure("DesktopUnavailable", "There is no screen left.");
          const access = await desktops.start(account, address, base);
          void browser.ended.then(() => desktops.passwordOf(browser) !== undefined && blocked.add(account.id));
          return access;
        },
      }));
    },
  },
];
