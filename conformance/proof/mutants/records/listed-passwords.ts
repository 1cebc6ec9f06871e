import type { OpenBrowser } from "../../../../server/test/interface.ts";
import { type Mutant, mutant } from "../../mutant.ts";
import { onSession } from "../../faults/shown.ts";
import { onDesktops } from "../../faults/use-cases.ts";

/** Passwords in the list. */
export const LISTED_PASSWORD_MUTANTS: readonly Mutant[] = [
  mutant("list-vncpass-stays", ["RBS-LIST-06"], "The password of a stopped desktop is still listed", () => {
    const last = new WeakMap<OpenBrowser, string>();
    return onDesktops((desktops) => ({
      passwordOf(browser) {
        const password = desktops.passwordOf(browser) ?? last.get(browser);
        if (password !== undefined) last.set(browser, password);
        return password;
      },
    }));
  }),
  mutant("list-vncpass-empty", ["RBS-LIST-06", "RBS-ANSWER-02"], "Without a desktop, vncpass is an empty string", () =>
    onSession((session) => ({ ...session, vncpass: session.vncpass ?? "" })),
  ),
  mutant("list-vncpass-never", ["RBS-DESKTOP-15"], "Passwords are not listed", () =>
    onSession((session) => ({ ...session, vncpass: null })),
  ),
  mutant("list-vncpass-hidden", ["RBS-DESKTOP-15"], "Passwords are listed as asterisks", () =>
    onSession((session) => ({ ...session, vncpass: session.vncpass && "********" })),
  ),
  mutant("list-vncpass-view", ["RBS-DESKTOP-15"], "The view-only password is listed instead of the full one", () => {
    const views = new WeakMap<OpenBrowser, string>();
    return onDesktops((desktops, browsers) => ({
      async start(account, address, base) {
        const access = await desktops.start(account, address, base);
        views.set(browsers.find(account, address), access.passwords.viewOnly);
        return access;
      },
      passwordOf: (browser) => desktops.passwordOf(browser) && views.get(browser),
    }));
  }),
];
