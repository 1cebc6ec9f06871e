import { setTimeout as sleep } from "node:timers/promises";
import type { ViewerPasswords } from "../../../server/src/domain/browser/desktop.ts";
import { Failure } from "../../../server/src/domain/failure.ts";
import type { OpenBrowser } from "../../../server/test/interface.ts";
import type { Mutant } from "../mutant.ts";
import { isFor, onAnswer, readBody, withBody } from "./alter.ts";
import { withPasswords } from "./passwords.ts";
import { onOperation, read, type Shown, withLocalBrowsers } from "./shown.ts";
import { onBrowser, onBrowsers, onDesktops } from "./use-cases.ts";

/** Faults that only show after certain steps. */
export const SEQUENCE_MUTANTS: readonly Mutant[] = [
  {
    id: "sequence-list-cached",
    title: "The list is refreshed when a browser opens, but not when one closes",
    killedBy: ["RBS-MODEL-01"],
    fault: () => {
      const lists = new Map<string, OpenBrowser[]>();
      return onBrowsers((browsers) => ({
        async openNew(call, ...rest) {
          const browser = await browsers.openNew(call, ...rest);
          lists.delete(call.account.id);
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
    title: "A concurrent Close request of the same browser fails with 500",
    killedBy: ["RBS-MODEL-02"],
    fault: () => {
      const closing = new Set<string>();
      return onBrowser((browser) => ({
        async close(reason) {
          if (closing.has(browser.id)) throw new Failure("Unknown", "It is closing.");
          closing.add(browser.id);
          // A delay as for a real browser.
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
        async openNew(...call) {
          count += 1;
          if (count % 10 === 0) throw new Failure("Unknown", "Something went wrong.");
          return browsers.openNew(...call);
        },
      }));
    },
  },
  {
    id: "sequence-third-start",
    title: "The third Start returns the passwords of the first",
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
    title: "Stop removes the passwords of the account's other desktops from the list",
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
    title: "After a Close with a started desktop, Start fails for the account",
    killedBy: ["RBS-MODEL-01"],
    fault: () => {
      const blocked = new Set<string>();
      return onDesktops((desktops, browsers) => ({
        async start(account, address, base) {
          const browser = browsers.find(account, address);
          if (blocked.has(account.id)) throw new Failure("DesktopUnavailable", "All screens are in use.");
          const access = await desktops.start(account, address, base);
          void browser.ended.then(() => desktops.passwordOf(browser) !== undefined && blocked.add(account.id));
          return access;
        },
      }));
    },
  },
  {
    id: "sequence-info-cached",
    title: "Info shows an open browser as it was the first time, until the browser is updated",
    killedBy: ["RBS-MODEL-01"],
    fault: () => {
      const shown = new Map<string, Shown>();
      return onAnswer("*", ({ status, body }, request) => {
        if (status !== 200) return {};
        const id = String(body["id"]);
        if (isFor(request, "updateBrowser")) shown.delete(id);
        if (!isFor(request, "getBrowserInfo") || body["state"] !== "open") return {};
        const known = shown.get(id) ?? body;
        shown.set(id, known);
        return { body: known };
      });
    },
  },
  {
    id: "sequence-key-renamed",
    title: "After an Update, a repetition of the Open opens another browser",
    killedBy: ["RBS-MODEL-01"],
    fault: () => {
      const updated = new Set<unknown>();
      return {
        async answer(request, next) {
          const { text } = await readBody(request);
          const response = await next(withBody(request, text));
          if (response.status !== 200) return response;
          const { id } = await read(response);
          if (isFor(request, "updateBrowser")) updated.add(id);
          if (!isFor(request, "openBrowser") || !updated.has(id)) return response;
          const again = withBody(request, text);
          again.headers.delete("Idempotency-Key");
          return next(again);
        },
      };
    },
  },
  {
    id: "sequence-close-all-first-label",
    title: "After an Update, CloseAll no longer finds the browser by its label",
    killedBy: ["RBS-MODEL-01"],
    fault: () => {
      const renamed = new Set<unknown>();
      return onOperation(["updateBrowser", "closeAllBrowsers"], async ({ request, body, next }) => {
        const isUpdate = isFor(request, "updateBrowser");
        if (!isUpdate && renamed.has(body["label"])) {
          return next(withBody(request, JSON.stringify({ label: "no such label" })));
        }
        const response = await next(request);
        if (isUpdate && response.status === 200) renamed.add(body["label"]);
        return response;
      });
    },
  },
  {
    id: "sequence-history-loses-desktop",
    title: "The history doesn't show browsers whose desktop was stopped",
    killedBy: ["RBS-MODEL-01"],
    fault: () =>
      withLocalBrowsers((find) => {
        const stopped = new Set<unknown>();
        return onOperation(["stopRemoteDesktop", "getBrowserHistory"], async ({ request, body, next }) => {
          const id = find(body)?.id;
          const response = await next(request);
          if (response.status !== 200) return response;
          if (isFor(request, "stopRemoteDesktop")) {
            stopped.add(id);
            return response;
          }
          const { browsers, ...others } = await read(response);
          const left = (browsers as Shown[]).filter((each) => !stopped.has(each["id"]));
          return Response.json({ ...others, browsers: left }, { headers: response.headers });
        });
      }),
  },
  {
    id: "sequence-wait-after-exit",
    title: "Wait answers that a browser that exited was closed by request",
    killedBy: ["RBS-MODEL-01"],
    fault: () =>
      onAnswer("waitForBrowser", ({ body }) =>
        body["reason"] === "exited" ? { body: { ...body, reason: "requested" } } : {},
      ),
  },
];
