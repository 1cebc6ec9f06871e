import type { OpenBrowser } from "../../../server/test/interface.ts";
import type { Mutant } from "../mutant.ts";
import { onSession } from "./lists.ts";
import { instead, onDesktops } from "./use-cases.ts";

/** Passwords in the list. */
export const LISTED_PASSWORD_MUTANTS: readonly Mutant[] = [
  {
    id: "list-vncpass-stays",
    title: "The password of a stopped desktop is still listed",
    killedBy: ["RBS-LIST-06"],
    fault: () => {
      const last = new WeakMap<OpenBrowser, string>();
      return onDesktops((desktops) => ({
        passwordOf(browser) {
          const password = desktops.passwordOf(browser) ?? last.get(browser);
          if (password !== undefined) last.set(browser, password);
          return password;
        },
      }));
    },
  },
  {
    id: "list-vncpass-empty",
    title: "The password of a stopped desktop is listed as an empty string",
    killedBy: ["RBS-LIST-06", "RBS-ANSWER-02"],
    fault: () => onSession((session) => ({ ...session, vncpass: session.vncpass ?? "" })),
  },
  {
    id: "list-vncpass-never",
    title: "Passwords are not listed",
    killedBy: ["RBS-DESKTOP-15"],
    fault: () => onSession((session) => ({ ...session, vncpass: null })),
  },
  {
    id: "list-vncpass-hidden",
    title: "Passwords are listed as asterisks",
    killedBy: ["RBS-DESKTOP-15"],
    fault: () => onSession((session) => ({ ...session, vncpass: session.vncpass && "********" })),
  },
  {
    id: "list-vncpass-view",
    title: "The password for watching is listed instead of the one for full use",
    killedBy: ["RBS-DESKTOP-15"],
    fault: () => ({
      services({ desktops, localBrowsers, ...others }) {
        const views = new WeakMap<OpenBrowser, string>();
        return {
          ...others,
          localBrowsers,
          desktops: instead(desktops, {
            async start(account, address, base) {
              const access = await desktops.start(account, address, base);
              views.set(localBrowsers.find(account, address), access.passwords.viewOnly);
              return access;
            },
            passwordOf: (browser) => desktops.passwordOf(browser) && views.get(browser),
          }),
        };
      },
    }),
  },
];
