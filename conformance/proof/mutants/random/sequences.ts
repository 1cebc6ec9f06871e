import { setTimeout as sleep } from "node:timers/promises";
import type { ViewerPasswords } from "../../../../server/src/domain/browser/desktop.ts";
import { Failure } from "../../../../server/src/domain/failure.ts";
import type { OpenBrowser } from "../../../../server/test/interface.ts";
import { withPasswords } from "../desktop/passwords.ts";
import { type Mutant, mutant } from "../../mutant.ts";
import { isFor, onAnswer, readBody, withBody } from "../../faults/alter.ts";
import { type Shown, onOperation, read, withLocalBrowsers } from "../../faults/shown.ts";
import { onBrowser, onBrowsers, onDesktops, onOpen } from "../../faults/use-cases.ts";

/** Faults that only appear after a specific sequence of steps. */
export const SEQUENCE_MUTANTS: readonly Mutant[] = [
  mutant("sequence-list-cached", ["RBS-MODEL-01"], "The list is only refreshed when a browser opens", () => {
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
  }),
  mutant("sequence-close-while-closing", ["RBS-MODEL-02"], "A second concurrent Close request fails with 500", () => {
    const closing = new Set<string>();
    return onBrowser((browser) => ({
      async close(reason) {
        if (closing.has(browser.id)) throw new Failure("Unknown", "It is closing.");
        closing.add(browser.id);
        // Simulates the time that a browser takes to close.
        await sleep(100);
        return browser.close(reason);
      },
    }));
  }),
  mutant("sequence-tenth-open", ["RBS-MODEL-01"], "Every tenth Open request fails with 500", () => {
    let count = 0;
    return onOpen(async (call, open) => {
      count += 1;
      if (count % 10 === 0) throw new Failure("Unknown", "Something went wrong.");
      return open(call);
    });
  }),
  mutant("sequence-third-start", ["RBS-MODEL-03"], "The third Start returns the first Start's passwords", () => {
    const starts = new WeakMap<OpenBrowser, ViewerPasswords[]>();
    return withPasswords((right, browser) => {
      const before = starts.get(browser) ?? [];
      starts.set(browser, [...before, right]);
      return before.length >= 2 ? (before[0] ?? right) : right;
    });
  }),
  mutant("sequence-stop-forgets-others", ["RBS-MODEL-04"], "Stop removes other desktops' listed passwords", () => {
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
  }),
  mutant("sequence-closed-desktop-blocks", ["RBS-MODEL-03"], "Closing a started desktop's browser breaks Start", () => {
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
  }),
  mutant("sequence-info-cached", ["RBS-MODEL-03"], "Info caches open browsers until they are updated", () => {
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
  }),
  mutant("sequence-key-renamed", ["RBS-MODEL-01"], "After an Update, a repeated Open opens a second browser", () => {
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
  }),
  mutant("sequence-close-all-first-label", ["RBS-MODEL-01"], "CloseAll doesn't match updated labels", () => {
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
  }),
  mutant("sequence-history-loses-desktop", ["RBS-MODEL-03"], "Stop removes the browser from the history", () =>
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
  ),
  mutant("sequence-wait-after-exit", ["RBS-MODEL-01"], "Wait reports an exited browser as closed on request", () =>
    onAnswer("waitForBrowser", ({ body }) =>
      body["reason"] === "exited" ? { body: { ...body, reason: "requested" } } : {},
    ),
  ),
];
