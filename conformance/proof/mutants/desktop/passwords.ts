import type { DesktopAccess, ViewerPasswords } from "../../../../server/src/domain/browser/desktop.ts";
import type { OpenBrowser } from "../../../../server/test/interface.ts";
import { type Fault, type Mutant, mutant } from "../../mutant.ts";
import { connectOpenScreen } from "../../faults/screens.ts";
import { onDesktop, onDesktops } from "../../faults/use-cases.ts";

/**
 * Replaces passwords in responses and lists.
 * @param admitted Returns the passwords that the screen accepts. Default: the replaced ones.
 */
export function withPasswords(
  change: (right: ViewerPasswords, browser: OpenBrowser) => ViewerPasswords,
  admitted: (passwords: ViewerPasswords, browser: OpenBrowser) => ViewerPasswords = (passwords) => passwords,
): Fault {
  const started = new WeakMap<OpenBrowser, { readonly right: string; readonly access: DesktopAccess }>();
  return onDesktops((desktops, browsers) => ({
    async start(account, address, base) {
      const right = await desktops.start(account, address, base);
      const browser = browsers.find(account, address);
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
  }));
}

/** The passwords of desktops. */
export const PASSWORD_MUTANTS: readonly Mutant[] = [
  mutant("password-nine", ["RBS-DESKTOP-01", "RBS-ANSWER-02"], "Passwords have nine characters", () =>
    withPasswords(({ full, viewOnly }) => ({ full: `${full}9`, viewOnly: `${viewOnly}9` })),
  ),
  mutant("password-six", ["RBS-DESKTOP-01", "RBS-ANSWER-02"], "Passwords have six characters", () =>
    withPasswords(({ full, viewOnly }) => ({ full: full.slice(2), viewOnly: viewOnly.slice(2) })),
  ),
  mutant("password-same-two", ["RBS-DESKTOP-01"], "Both passwords are the same", () =>
    withPasswords(({ full }) => ({ full, viewOnly: full })),
  ),
  mutant("password-swapped", ["RBS-DESKTOP-04"], "The two passwords are swapped", () =>
    withPasswords(
      (right) => right,
      ({ full, viewOnly }) => ({ full: viewOnly, viewOnly: full }),
    ),
  ),
  mutant("password-view-useless", ["RBS-DESKTOP-04"], "The view-only password is refused", () =>
    withPasswords(
      (right) => right,
      ({ full }) => ({ full, viewOnly: "notheone" }),
    ),
  ),
  mutant("password-useless", ["RBS-DESKTOP-02"], "The full-control password is refused", () =>
    withPasswords(
      (right) => right,
      ({ viewOnly }) => ({ full: "notheone", viewOnly }),
    ),
  ),
  mutant("password-reused", ["RBS-DESKTOP-06"], "A new Start returns the old passwords", () => {
    const first = new WeakMap<OpenBrowser, ViewerPasswords>();
    return withPasswords((right, browser) => {
      const passwords = first.get(browser) ?? right;
      first.set(browser, passwords);
      return passwords;
    });
  }),
  mutant("password-view-reused", ["RBS-DESKTOP-06"], "A new Start returns the old view-only password", () => {
    const first = new WeakMap<OpenBrowser, string>();
    return withPasswords(({ full, viewOnly }, browser) => {
      const before = first.get(browser) ?? viewOnly;
      first.set(browser, before);
      return { full, viewOnly: before };
    });
  }),
  mutant("password-old-works", ["RBS-DESKTOP-06"], "After a new Start, the old password still works", () => {
    const first = new WeakMap<OpenBrowser, string>();
    return withPasswords(
      (right) => right,
      ({ full, viewOnly }, browser) => {
        const before = first.get(browser);
        if (before === undefined) first.set(browser, full);
        return { full, viewOnly: before ?? viewOnly };
      },
    );
  }),
  mutant("password-same-everywhere", ["RBS-DESKTOP-16"], "All desktops have the same passwords", () =>
    withPasswords(() => ({ full: "Xk7wPq2m", viewOnly: "hT4nRb9c" })),
  ),
  mutant("password-any", ["RBS-DESKTOP-03"], "Every password is accepted", () =>
    onDesktop(() => ({ connect: () => connectOpenScreen(true) })),
  ),
  mutant("password-none", ["RBS-DESKTOP-02"], "rfbUrl accepts viewers without a password", () =>
    onDesktop(() => ({ connect: () => connectOpenScreen(false) })),
  ),
];
