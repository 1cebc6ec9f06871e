import type { OpenOptions } from "../../../server/src/domain/browser/open-options.ts";
import type { OpenBrowser } from "../../../server/test/interface.ts";
import type { Fault, Mutant } from "../mutant.ts";
import { onRequest } from "./alter.ts";
import { onBrowser, onBrowsers, onDesktop } from "./use-cases.ts";

const MAX_TIMER_MS = 2 ** 31 - 1;

function onKeepOpen(alter: (keepOpenMs: number) => number): Fault {
  return onBrowsers((browsers) => ({
    openNew: ({ options, ...call }, ...rest) =>
      browsers.openNew({ ...call, options: { ...options, keepOpenMs: alter(options.keepOpenMs) } }, ...rest),
  }));
}

/** Does something once after the KeepOpen of a browser, counted from Open. */
function afterKeepOpen(happen: (browser: OpenBrowser) => void): Fault {
  return onBrowsers((browsers) => ({
    async openNew(call, ...rest) {
      const browser = await browsers.openNew(call, ...rest);
      const { options } = call;
      if (options.keepOpenMs > 0 && options.keepOpenMs < MAX_TIMER_MS) {
        setTimeout(() => happen(browser), options.keepOpenMs).unref();
      }
      return browser;
    },
  }));
}

/** Does something whenever a client of a browser disconnects. */
function whenLeft(
  does: (browser: OpenBrowser, facts: { readonly others: number; readonly keepOpenMs: number }) => void,
): Fault {
  const keepOpenMs = new WeakMap<OpenBrowser, OpenOptions["keepOpenMs"]>();
  const noting = onBrowsers((browsers) => ({
    async openNew(call, ...rest) {
      const browser = await browsers.openNew(call, ...rest);
      keepOpenMs.set(browser, call.options.keepOpenMs);
      return browser;
    },
  }));
  const leaving = onBrowser((browser) => {
    let clients = 0;
    return {
      join(client) {
        clients += 1;
        const leave = browser.join(client);
        return () => {
          leave();
          clients -= 1;
          does(browser, { others: clients, keepOpenMs: keepOpenMs.get(browser) ?? 0 });
        };
      },
    };
  });
  return {
    services(services) {
      const noted = noting.services?.(services) ?? services;
      return leaving.services?.(noted) ?? noted;
    },
  };
}

/** When inactive browsers close. */
export const INACTIVITY_MUTANTS: readonly Mutant[] = [
  {
    id: "idle-minutes",
    title: "KeepOpen is in minutes",
    killedBy: ["RBS-IDLE-01"],
    fault: () => onKeepOpen((ms) => ms * 60),
  },
  {
    id: "idle-milliseconds",
    title: "KeepOpen is in milliseconds",
    killedBy: ["RBS-IDLE-02"],
    fault: () => onKeepOpen((ms) => Math.ceil(ms / 1000)),
  },
  {
    id: "idle-never",
    title: "Inactive browsers never close",
    killedBy: ["RBS-IDLE-01"],
    fault: () => onKeepOpen(() => 0),
  },
  {
    id: "idle-early",
    title: "Browsers close after half of their KeepOpen",
    killedBy: ["RBS-IDLE-02"],
    fault: () => onKeepOpen((ms) => ms / 2),
  },
  {
    id: "idle-fractions-cut",
    title: "KeepOpen is rounded down to whole seconds",
    killedBy: ["RBS-IDLE-06"],
    fault: () => onKeepOpen((ms) => (ms === 0 ? 0 : Math.max(1, Math.floor(ms / 1000) * 1000))),
  },
  {
    id: "idle-zero-is-at-once",
    title: "KeepOpen 0 closes the browser at once",
    killedBy: ["RBS-IDLE-07"],
    fault: () => onKeepOpen((ms) => (ms === 0 ? 1 : ms)),
  },
  {
    id: "idle-zero-is-default",
    title: "KeepOpen 0 means the default",
    killedBy: ["RBS-IDLE-13"],
    fault: () => onKeepOpen((ms) => (ms === 0 ? 30_000 : ms)),
  },
  {
    id: "idle-zero-is-shortest",
    title: "KeepOpen 0 means the minimum of two seconds",
    killedBy: ["RBS-IDLE-07"],
    fault: () => onKeepOpen((ms) => (ms === 0 ? 2000 : ms)),
  },
  {
    id: "idle-default-300",
    title: "Without KeepOpen, browsers stay open for 300 seconds",
    killedBy: ["RBS-IDLE-08"],
    fault: () => onRequest("openBrowser", (options) => ({ KeepOpen: 300, ...options })),
  },
  {
    id: "idle-default-5",
    title: "Without KeepOpen, browsers stay open for five seconds",
    killedBy: ["RBS-IDLE-08"],
    fault: () => onRequest("openBrowser", (options) => ("keepOpen" in options ? options : { KeepOpen: 5, ...options })),
  },
  {
    id: "idle-overflow",
    title: "A KeepOpen that overflows a timer closes the browser at once",
    killedBy: ["RBS-IDLE-09"],
    fault: () => onKeepOpen((ms) => (ms > MAX_TIMER_MS ? 1 : ms)),
  },
  {
    id: "idle-clients-ignored",
    title: "Browsers close after their KeepOpen although clients are connected",
    killedBy: ["RBS-IDLE-03"],
    fault: () => afterKeepOpen((browser) => void browser.close("inactive")),
  },
  {
    id: "idle-not-anew",
    title: "KeepOpen only counts from Open: later, a browser closes as soon as its last client disconnects",
    killedBy: ["RBS-IDLE-04"],
    fault: () =>
      whenLeft((browser, { others, keepOpenMs }) => {
        const isOver = keepOpenMs > 0 && Date.now() > browser.openedAt.getTime() + keepOpenMs;
        if (others === 0 && isOver) void browser.close("inactive");
      }),
  },
  {
    id: "idle-first-leaver",
    title: "The period restarts when a client disconnects although another one is connected",
    killedBy: ["RBS-IDLE-10"],
    fault: () =>
      whenLeft((browser, { others, keepOpenMs }) => {
        if (others > 0 && keepOpenMs > 0) setTimeout(() => void browser.close("inactive"), keepOpenMs).unref();
      }),
  },
  {
    id: "idle-never-after-clients",
    title: "A browser that had a client never closes for inactivity",
    killedBy: ["RBS-IDLE-04"],
    fault: () => onBrowser((browser) => ({ join: (client) => (browser.join(client), () => {}) })),
  },
  {
    id: "idle-viewers-ignored",
    title: "Viewers of a desktop do not keep their browser open",
    killedBy: ["RBS-IDLE-05"],
    fault: () =>
      onDesktop((desktop) => ({
        admitViewer: (visitor) => ({ ...desktop.admitViewer(visitor), authenticated() {} }),
      })),
  },
  {
    id: "idle-viewers-of-stopped-desktop",
    title: "Viewers of a stopped desktop still count as connected",
    killedBy: ["RBS-IDLE-12"],
    fault: () =>
      onDesktop((desktop) => ({
        admitViewer(visitor) {
          let isEnded = false;
          const session = desktop.admitViewer({
            end(code, reason) {
              isEnded = true;
              visitor.end(code, reason);
            },
          });
          return { ...session, leave: () => isEnded || session.leave() };
        },
      })),
  },
];
