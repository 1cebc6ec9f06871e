import type { DesktopAccess, ViewerPasswords } from "../../../server/src/domain/browser/desktop.ts";
import type { OpenBrowser } from "../../../server/test/interface.ts";
import type { Fault, Mutant } from "../mutant.ts";
import { connectOpenScreen } from "./screens.ts";
import { instead, onDesktop } from "./use-cases.ts";

/** Replaces passwords in responses and lists. */
export function withPasswords(
  change: (right: ViewerPasswords, browser: OpenBrowser) => ViewerPasswords,
  admitted: (passwords: ViewerPasswords, browser: OpenBrowser) => ViewerPasswords = (passwords) => passwords,
): Fault {
  return {
    services({ localBrowsers, desktops, ...others }) {
      const started = new WeakMap<OpenBrowser, { readonly right: string; readonly access: DesktopAccess }>();
      return {
        ...others,
        localBrowsers,
        desktops: instead(desktops, {
          async start(account, address, base) {
            const right = await desktops.start(account, address, base);
            const browser = localBrowsers.find(account, address);
            const known = started.get(browser);
            if (known?.right === right.url) return known.access;
            const passwords = change(right.passwords, browser);
            const url = right.url.replace(/#.*/, `#${passwords.full}`);
            const access = { ...right, url, passwords };
            started.set(browser, { right: right.url, access });
            await browser.screen?.setPasswords(admitted(passwords, browser));
            return access;
          },
          passwordOf: (browser) => desktops.passwordOf(browser) && started.get(browser)?.access.passwords.full,
        }),
      };
    },
  };
}

/** The passwords of desktops. */
export const PASSWORD_MUTANTS: readonly Mutant[] = [
  {
    id: "password-nine",
    title: "Passwords have nine characters",
    killedBy: ["RBS-DESKTOP-01", "RBS-ANSWER-02"],
    fault: () => withPasswords(({ full, viewOnly }) => ({ full: `${full}9`, viewOnly: `${viewOnly}9` })),
  },
  {
    id: "password-six",
    title: "Passwords have six characters",
    killedBy: ["RBS-DESKTOP-01", "RBS-ANSWER-02"],
    fault: () => withPasswords(({ full, viewOnly }) => ({ full: full.slice(2), viewOnly: viewOnly.slice(2) })),
  },
  {
    id: "password-same-two",
    title: "Both passwords are the same",
    killedBy: ["RBS-DESKTOP-01"],
    fault: () => withPasswords(({ full }) => ({ full, viewOnly: full })),
  },
  {
    id: "password-swapped",
    title: "The two passwords are swapped",
    killedBy: ["RBS-DESKTOP-04"],
    fault: () =>
      withPasswords(
        (right) => right,
        ({ full, viewOnly }) => ({ full: viewOnly, viewOnly: full }),
      ),
  },
  {
    id: "password-view-useless",
    title: "The password for watching is refused",
    killedBy: ["RBS-DESKTOP-04"],
    fault: () =>
      withPasswords(
        (right) => right,
        ({ full }) => ({ full, viewOnly: "notheone" }),
      ),
  },
  {
    id: "password-useless",
    title: "The password for full use is refused",
    killedBy: ["RBS-DESKTOP-02"],
    fault: () =>
      withPasswords(
        (right) => right,
        ({ viewOnly }) => ({ full: "notheone", viewOnly }),
      ),
  },
  {
    id: "password-reused",
    title: "A new Start returns the old passwords",
    killedBy: ["RBS-DESKTOP-06"],
    fault: () => {
      const first = new WeakMap<OpenBrowser, ViewerPasswords>();
      return withPasswords((right, browser) => {
        const passwords = first.get(browser) ?? right;
        first.set(browser, passwords);
        return passwords;
      });
    },
  },
  {
    id: "password-view-reused",
    title: "A new Start returns the old password for watching",
    killedBy: ["RBS-DESKTOP-06"],
    fault: () => {
      const first = new WeakMap<OpenBrowser, string>();
      return withPasswords(({ full, viewOnly }, browser) => {
        const before = first.get(browser) ?? viewOnly;
        first.set(browser, before);
        return { full, viewOnly: before };
      });
    },
  },
  {
    id: "password-old-works",
    title: "After a new Start, the old password still works",
    killedBy: ["RBS-DESKTOP-06"],
    fault: () => {
      const first = new WeakMap<OpenBrowser, string>();
      return withPasswords(
        (right) => right,
        ({ full, viewOnly }, browser) => {
          const before = first.get(browser);
          if (before === undefined) first.set(browser, full);
          return { full, viewOnly: before ?? viewOnly };
        },
      );
    },
  },
  {
    id: "password-same-everywhere",
    title: "All desktops have the same passwords",
    killedBy: ["RBS-DESKTOP-16"],
    fault: () => withPasswords(() => ({ full: "Xk7wPq2m", viewOnly: "hT4nRb9c" })),
  },
  {
    id: "password-any",
    title: "Every password is accepted",
    killedBy: ["RBS-DESKTOP-03"],
    fault: () => onDesktop(() => ({ connect: () => connectOpenScreen(true) })),
  },
  {
    id: "password-none",
    title: "rfbUrl accepts viewers without a password",
    killedBy: ["RBS-DESKTOP-02"],
    fault: () => onDesktop(() => ({ connect: () => connectOpenScreen(false) })),
  },
];
