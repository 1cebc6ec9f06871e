import type { OpenOptions } from "../../../../server/src/domain/browser/open-options.ts";
import type { OpenBrowser } from "../../../../server/test/interface.ts";
import { type Fault, type Mutant, mutant } from "../../mutant.ts";
import { onRequest } from "../../faults/alter.ts";
import { onBrowser, onDesktop, onOpen } from "../../faults/use-cases.ts";

const MAX_TIMER_MS = 2 ** 31 - 1;

function onKeepOpen(alter: (keepOpenMs: number) => number): Fault {
  return onOpen(({ options, ...call }, open) =>
    open({ ...call, options: { ...options, keepOpenMs: alter(options.keepOpenMs) } }),
  );
}

/** Calls `happen` when a browser's KeepOpen period, counted from Open, has passed. */
function afterKeepOpen(happen: (browser: OpenBrowser) => void): Fault {
  return onOpen(async (call, open) => {
    const browser = await open(call);
    const { options } = call;
    if (options.keepOpenMs > 0 && options.keepOpenMs < MAX_TIMER_MS) {
      setTimeout(() => happen(browser), options.keepOpenMs).unref();
    }
    return browser;
  });
}

/** Calls `does` whenever a browser's client disconnects. */
function whenLeft(
  does: (browser: OpenBrowser, facts: { readonly others: number; readonly keepOpenMs: number }) => void,
): Fault {
  const keepOpenMs = new WeakMap<OpenBrowser, OpenOptions["keepOpenMs"]>();
  const noting = onOpen(async (call, open) => {
    const browser = await open(call);
    keepOpenMs.set(browser, call.options.keepOpenMs);
    return browser;
  });
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

/** Faults in closing inactive browsers. */
export const INACTIVITY_MUTANTS: readonly Mutant[] = [
  mutant("idle-minutes", ["RBS-IDLE-01"], "KeepOpen is interpreted as minutes", () => onKeepOpen((ms) => ms * 60)),
  mutant("idle-milliseconds", ["RBS-IDLE-02"], "KeepOpen is interpreted as milliseconds", () =>
    onKeepOpen((ms) => Math.ceil(ms / 1000)),
  ),
  mutant("idle-never", ["RBS-IDLE-01"], "Inactive browsers never close", () => onKeepOpen(() => 0)),
  mutant("idle-early", ["RBS-IDLE-02"], "Browsers close after half of their KeepOpen period", () =>
    onKeepOpen((ms) => ms / 2),
  ),
  mutant("idle-long-early", ["RBS-IDLE-14"], "Inactivity periods of more than 30 seconds are 30 % too short", () =>
    onKeepOpen((ms) => (ms > 30_000 && ms < MAX_TIMER_MS ? ms * 0.7 : ms)),
  ),
  mutant("idle-fractions-cut", ["RBS-IDLE-06"], "KeepOpen is rounded down to whole seconds", () =>
    onKeepOpen((ms) => (ms === 0 ? 0 : Math.max(1, Math.floor(ms / 1000) * 1000))),
  ),
  mutant("idle-zero-is-at-once", ["RBS-IDLE-07"], "KeepOpen 0 closes the browser immediately", () =>
    onKeepOpen((ms) => (ms === 0 ? 1 : ms)),
  ),
  mutant("idle-zero-is-default", ["RBS-IDLE-13"], "KeepOpen 0 means the default", () =>
    onKeepOpen((ms) => (ms === 0 ? 30_000 : ms)),
  ),
  mutant("idle-zero-is-shortest", ["RBS-IDLE-07"], "KeepOpen 0 means the minimum of two seconds", () =>
    onKeepOpen((ms) => (ms === 0 ? 2000 : ms)),
  ),
  mutant("idle-default-300", ["RBS-IDLE-08"], "Without KeepOpen, browsers stay open for 300 seconds", () =>
    onRequest("openBrowser", (options) => ({ KeepOpen: 300, ...options })),
  ),
  mutant("idle-default-5", ["RBS-IDLE-08"], "Without KeepOpen, browsers stay open for five seconds", () =>
    onRequest("openBrowser", (options) => ("keepOpen" in options ? options : { KeepOpen: 5, ...options })),
  ),
  mutant("idle-overflow", ["RBS-IDLE-09"], "A browser whose KeepOpen overflows a timer closes immediately", () =>
    onKeepOpen((ms) => (ms > MAX_TIMER_MS ? 1 : ms)),
  ),
  mutant("idle-clients-ignored", ["RBS-IDLE-03"], "Browsers close after KeepOpen even with clients connected", () =>
    afterKeepOpen((browser) => void browser.close("inactive")),
  ),
  mutant("idle-not-anew", ["RBS-IDLE-04"], "The KeepOpen period doesn't restart when the last client disconnects", () =>
    whenLeft((browser, { others, keepOpenMs }) => {
      const isOver = keepOpenMs > 0 && Date.now() > browser.openedAt.getTime() + keepOpenMs;
      if (others === 0 && isOver) void browser.close("inactive");
    }),
  ),
  mutant("idle-first-leaver", ["RBS-IDLE-10"], "The KeepOpen period starts while another client is connected", () =>
    whenLeft((browser, { others, keepOpenMs }) => {
      if (others > 0 && keepOpenMs > 0) setTimeout(() => void browser.close("inactive"), keepOpenMs).unref();
    }),
  ),
  mutant("idle-never-after-clients", ["RBS-IDLE-04"], "Inactivity never closes a browser that has had a client", () =>
    onBrowser((browser) => ({ join: (client) => (browser.join(client), () => {}) })),
  ),
  mutant("idle-viewers-ignored", ["RBS-IDLE-05"], "Desktop viewers don't keep their browser open", () =>
    onDesktop((desktop) => ({
      admitViewer: (visitor) => ({ ...desktop.admitViewer(visitor), authenticated() {} }),
    })),
  ),
  mutant("idle-viewers-of-stopped-desktop", ["RBS-IDLE-12"], "Viewers of a stopped desktop keep the browser open", () =>
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
  ),
];
