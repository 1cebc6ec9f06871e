import { type Mutant, mutant } from "../../mutant.ts";
import { onBrowser, onNotice } from "../../faults/use-cases.ts";

/** Connections to browsers. */
export const DEVTOOLS_MUTANTS: readonly Mutant[] = [
  mutant("devtools-one-client", ["RBS-CONNECT-01"], "A browser accepts one client at a time", () => {
    const taken = new Set<string>();
    return onBrowser((browser) => ({
      connect: (signal) =>
        taken.has(browser.id)
          ? Promise.reject(new Error("The browser already has a client."))
          : browser.connect(signal),
      join(client) {
        taken.add(browser.id);
        const leave = browser.join(client);
        return () => {
          taken.delete(browser.id);
          leave();
        };
      },
    }));
  }),
  mutant("devtools-two-clients", ["RBS-CONNECT-01"], "A browser accepts two clients at a time", () => {
    const clients = new Map<string, number>();
    const count = (id: string, by: number): void => void clients.set(id, (clients.get(id) ?? 0) + by);
    return onBrowser((browser) => ({
      connect: (signal) =>
        (clients.get(browser.id) ?? 0) >= 2
          ? Promise.reject(new Error("The browser already has two clients."))
          : browser.connect(signal),
      join(client) {
        count(browser.id, 1);
        const leave = browser.join(client);
        return () => {
          count(browser.id, -1);
          leave();
        };
      },
    }));
  }),
  mutant("devtools-crash-code", ["RBS-CONNECT-09"], "When a browser crashes, clients see a normal close", () =>
    onNotice((notice) =>
      notice.reason.endsWith("crashed") ? { code: 1000, reason: "browser closed: exited" } : notice,
    ),
  ),
  mutant("devtools-second-cuts-first", ["RBS-CONNECT-01"], "A second client replaces the first", () => {
    const ends = new Map<string, () => void>();
    return onBrowser((browser) => ({
      join(client) {
        ends.get(browser.id)?.();
        ends.set(browser.id, () => client.end(1000, "another client has connected"));
        return browser.join(client);
      },
    }));
  }),
  mutant("devtools-leaving-closes", ["RBS-CONNECT-02"], "A browser closes when its last client disconnects", () =>
    onBrowser((browser) => ({
      join(client) {
        const leave = browser.join(client);
        return () => {
          leave();
          void browser.close("exited");
        };
      },
    })),
  ),
  mutant("devtools-no-way-back", ["RBS-CONNECT-02"], "An address accepts only one connection", () => {
    const used = new Set<string>();
    return onBrowser((browser) => ({
      connect: (signal) => (used.has(browser.id) ? Promise.reject(new Error("It is used.")) : browser.connect(signal)),
      join(client) {
        const leave = browser.join(client);
        return () => {
          used.add(browser.id);
          leave();
        };
      },
    }));
  }),
  mutant("devtools-exit-code", ["RBS-CONNECT-03"], "When a browser exits, clients see the close reason crashed", () =>
    onNotice((notice) =>
      notice.reason.endsWith("exited") ? { code: 1011, reason: "browser closed: crashed" } : notice,
    ),
  ),
];
