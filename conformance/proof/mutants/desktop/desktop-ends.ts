import { FakeScreen, type OpenBrowser } from "../../../../server/test/interface.ts";
import { Failure } from "../../../../server/src/domain/failure.ts";
import { type Fault, type Mutant, mutant } from "../../mutant.ts";
import { onAnswer } from "../../faults/alter.ts";
import { instead, onBrowsers, onDesktop, onDesktops } from "../../faults/use-cases.ts";

/** Calls a function whenever a desktop is started or stopped. */
function onSwitch(does: { start?: (browser: OpenBrowser) => void; stop?: (browser: OpenBrowser) => void }): Fault {
  return onDesktops((desktops, browsers) => ({
    async start(account, address, base) {
      const access = await desktops.start(account, address, base);
      does.start?.(browsers.find(account, address));
      return access;
    },
    async stop(account, address) {
      await desktops.stop(account, address);
      does.stop?.(browsers.find(account, address));
    },
  }));
}

/** Disconnects the DevTools clients of all browsers when a desktop is started or stopped. */
function cutsDevtools(when: "start" | "stop"): Fault {
  const ends = new Set<() => void>();
  return {
    services(services) {
      const { localBrowsers: browsers } = services;
      const find: typeof browsers.findByKey = (key) => {
        const browser = browsers.findByKey(key);
        return (
          browser &&
          instead(browser, {
            join(client) {
              const end = (): void => client.end(1001, "the desktop has changed");
              ends.add(end);
              const leave = browser.join(client);
              return () => {
                ends.delete(end);
                leave();
              };
            },
          })
        );
      };
      const switching = onSwitch({
        [when]: () => {
          for (const end of [...ends]) end();
        },
      });
      const switched = switching.services?.(services) ?? services;
      return { ...switched, localBrowsers: instead(browsers, { findByKey: find }) };
    },
  };
}

/** Faults in stopping desktops. */
export const DESKTOP_END_MUTANTS: readonly Mutant[] = [
  mutant("desktop-stop-again-404", ["RBS-DESKTOP-08"], "Stop returns 404 if the desktop is already stopped", () =>
    onDesktops((desktops, browsers) => ({
      async stop(account, address) {
        const browser = browsers.find(account, address);
        if (browser.screen !== undefined && desktops.passwordOf(browser) === undefined) {
          throw new Failure("BrowserNotFound", "This browser has no running desktop.");
        }
        return desktops.stop(account, address);
      },
    })),
  ),
  mutant("desktop-stop-headless-409", ["RBS-DESKTOP-09"], "Stop returns 409 for a headless browser", () =>
    onDesktops((desktops, browsers) => ({
      async stop(account, address) {
        const { screen } = browsers.find(account, address);
        if (screen === undefined) throw new Failure("DesktopUnavailable", "This browser is headless.");
        return desktops.stop(account, address);
      },
    })),
  ),
  mutant("desktop-stop-keeps-viewers", ["RBS-DESKTOP-07"], "Stop rejects new viewers but keeps existing ones", () =>
    onDesktop((desktop) => ({
      admitViewer: (visitor) =>
        desktop.admitViewer({
          end: (code, reason) => (reason === "desktop stopped" ? undefined : visitor.end(code, reason)),
        }),
    })),
  ),
  mutant("desktop-stop-nothing", ["RBS-DESKTOP-07", "RBS-DESKTOP-14", "RBS-LIST-06"], "Stop does nothing", () =>
    onDesktops((_, browsers) => ({ stop: async (...call) => void browsers.find(...call) })),
  ),
  mutant(
    "desktop-stop-unlists-only",
    ["RBS-DESKTOP-14"],
    "Stop does nothing but remove passwords from the list",
    () => {
      const stopped = new WeakSet<OpenBrowser>();
      return onDesktops((desktops, browsers) => ({
        async start(account, address, base) {
          stopped.delete(browsers.find(account, address));
          return desktops.start(account, address, base);
        },
        stop: async (account, address) => void stopped.add(browsers.find(account, address)),
        passwordOf: (browser) => (stopped.has(browser) ? undefined : desktops.passwordOf(browser)),
      }));
    },
  ),
  mutant("desktop-stop-closes", ["RBS-DESKTOP-13", "RBS-MODEL-03"], "Stop also closes the browser", () =>
    onSwitch({ stop: (browser) => void browser.close("requested") }),
  ),
  mutant("desktop-stop-cuts-devtools", ["RBS-DESKTOP-13"], "Stop also disconnects DevTools clients", () =>
    cutsDevtools("stop"),
  ),
  mutant("desktop-start-cuts-devtools", ["RBS-DESKTOP-13"], "Start disconnects DevTools clients", () =>
    cutsDevtools("start"),
  ),
  mutant("desktop-outlives", ["RBS-DESKTOP-12"], "Viewers stay connected when their desktop's browser closes", () => {
    const screens = new WeakMap<object, Promise<FakeScreen>>();
    return onDesktop((desktop) => {
      const screen = screens.get(desktop) ?? FakeScreen.start();
      screens.set(desktop, screen);
      return {
        async connect(signal) {
          const own = await screen;
          await own.setPasswords(desktop.access.passwords);
          return own.connect(signal);
        },
        admitViewer: (visitor) =>
          desktop.admitViewer({
            end: (code, reason) => (reason === "desktop stopped" ? visitor.end(code, reason) : undefined),
          }),
      };
    });
  }),
  mutant("desktop-stop-201", ["RBS-DESKTOP-08", "RBS-ANSWER-04"], "Stop returns 201", () =>
    onAnswer("stopRemoteDesktop", ({ status }) => (status === 200 ? { status: 201 } : {})),
  ),
  mutant("desktop-blocks-close", ["RBS-CLOSE-08"], "Close fails while the desktop is started", () =>
    onBrowsers((browsers, { desktops }) => ({
      find(account, address) {
        const browser = browsers.find(account, address);
        if (desktops.passwordOf(browser) === undefined) return browser;
        return instead(browser, {
          close() {
            throw new Failure("DesktopUnavailable", "The browser's desktop is started. Stop the desktop first.");
          },
        });
      },
    })),
  ),
];
