import { setTimeout as sleep } from "node:timers/promises";
import { type Mutant, mutant } from "../../mutant.ts";
import { isFor, readBody, withBody } from "../../faults/alter.ts";
import { onBrowser, onOpen } from "../../faults/use-cases.ts";

/** Simulated time that a browser takes to open, in ms. */
const OPEN_MS = 400;

/** Faults in whether and when Open starts a browser. */
export const OPENING_MUTANTS: readonly Mutant[] = [
  mutant("devtools-not-ready", ["RBS-OPEN-02"], "Open responds a second before the browser accepts connections", () =>
    onBrowser((browser) => ({
      connect: (signal) =>
        Date.now() - browser.openedAt.getTime() < 1000
          ? Promise.reject(new Error("It is starting."))
          : browser.connect(signal),
    })),
  ),
  mutant("open-refused-opens", ["RBS-OPEN-23"], "A rejected Open request starts a browser", () => ({
    async answer(request, next) {
      if (!isFor(request, "openBrowser")) return next(request);
      const { text, json } = await readBody(request);
      const { Label } = (json ?? {}) as { Label?: unknown };
      const response = await next(withBody(request, text));
      if (response.status === 400) await next(withBody(request, JSON.stringify({ Headless: true, Label })));
      return response;
    },
  })),
  mutant("open-abandoned-stays", ["RBS-OPEN-20"], "Open starts a browser even if the client has disconnected", () => {
    const never = new AbortController().signal;
    return onOpen(async (call, open) => {
      await sleep(OPEN_MS);
      return open({ ...call, disconnected: never });
    });
  }),
];
