import type { Mutant } from "../mutant.ts";
import { onNotice } from "./closing.ts";
import { onBrowser } from "./use-cases.ts";

/** Connections to browsers. */
export const DEVTOOLS_MUTANTS: readonly Mutant[] = [
  {
    id: "devtools-one-client",
    title: "A browser accepts one client at a time",
    killedBy: ["RBS-CONNECT-01"],
    fault: () => {
      const taken = new Set<string>();
      return onBrowser((browser) => ({
        connect: (signal) =>
          taken.has(browser.id) ? Promise.reject(new Error("It has a client.")) : browser.connect(signal),
        join(client) {
          taken.add(browser.id);
          const leave = browser.join(client);
          return () => {
            taken.delete(browser.id);
            leave();
          };
        },
      }));
    },
  },
  {
    id: "devtools-second-cuts-first",
    title: "A second client replaces the first",
    killedBy: ["RBS-CONNECT-01"],
    fault: () => {
      const ends = new Map<string, () => void>();
      return onBrowser((browser) => ({
        join(client) {
          ends.get(browser.id)?.();
          ends.set(browser.id, () => client.end(1000, "another client has connected"));
          return browser.join(client);
        },
      }));
    },
  },
  {
    id: "devtools-leaving-closes",
    title: "A browser closes when its last client disconnects",
    killedBy: ["RBS-CONNECT-02"],
    fault: () =>
      onBrowser((browser) => ({
        join(client) {
          const leave = browser.join(client);
          return () => {
            leave();
            void browser.close("exited");
          };
        },
      })),
  },
  {
    id: "devtools-no-way-back",
    title: "An address accepts only one connection",
    killedBy: ["RBS-CONNECT-02"],
    fault: () => {
      const used = new Set<string>();
      return onBrowser((browser) => ({
        connect: (signal) =>
          used.has(browser.id) ? Promise.reject(new Error("It is used.")) : browser.connect(signal),
        join(client) {
          const leave = browser.join(client);
          return () => {
            used.add(browser.id);
            leave();
          };
        },
      }));
    },
  },
  {
    id: "devtools-exit-code",
    title: "When a browser exits, its clients receive the reason of a crash",
    killedBy: ["RBS-CONNECT-03"],
    fault: () =>
      onNotice((notice) =>
        notice.reason.endsWith("exited") ? { code: 1011, reason: "browser closed: crashed" } : notice,
      ),
  },
];
