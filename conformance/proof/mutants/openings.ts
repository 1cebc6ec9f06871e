import { setTimeout as sleep } from "node:timers/promises";
import type { Mutant } from "../mutant.ts";
import { isFor, readBody, withBody } from "./alter.ts";
import { onBrowser, onBrowsers } from "./use-cases.ts";

/** A delay as for a real browser. */
const OPEN_MS = 400;

/** When Open starts a browser. */
export const OPENING_MUTANTS: readonly Mutant[] = [
  {
    id: "devtools-not-ready",
    title: "Open answers a second before the browser accepts connections",
    killedBy: ["RBS-OPEN-02"],
    fault: () =>
      onBrowser((browser) => ({
        connect: (signal) =>
          Date.now() - browser.openedAt.getTime() < 1000
            ? Promise.reject(new Error("It is starting."))
            : browser.connect(signal),
      })),
  },
  {
    id: "open-refused-opens",
    title: "An Open request with an invalid KeepOpen is refused but starts a browser",
    killedBy: ["RBS-OPEN-23"],
    fault: () => ({
      async answer(request, next) {
        if (!isFor(request, "openBrowser")) return next(request);
        const { text, json } = await readBody(request);
        const { Label } = (json ?? {}) as { Label?: unknown };
        const response = await next(withBody(request, text));
        if (response.status === 400) await next(withBody(request, JSON.stringify({ Headless: true, Label })));
        return response;
      },
    }),
  },
  {
    id: "open-abandoned-stays",
    title: "Open starts a browser although the client has disconnected",
    killedBy: ["RBS-OPEN-20"],
    fault: () => {
      const nobodyLeaves = new AbortController().signal;
      return onBrowsers((browsers) => ({
        async openNew(call) {
          await sleep(OPEN_MS);
          return browsers.openNew({ ...call, disconnected: nobodyLeaves });
        },
      }));
    },
  },
];
