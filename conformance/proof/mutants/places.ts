import { setTimeout as sleep } from "node:timers/promises";
import type { Mutant } from "../mutant.ts";
import { refusal, withBody } from "./alter.ts";
import { type Options, understandAs } from "./open-options.ts";
import { onOperation } from "./shown.ts";

const waits = ({ WaitForPlace }: Options): boolean => typeof WaitForPlace === "number" && WaitForPlace > 0;

/** Open requests that wait for a place. */
export const PLACE_MUTANTS: readonly Mutant[] = [
  {
    id: "place-ignored",
    title: "WaitForPlace is ignored",
    killedBy: ["RBS-PLACE-01", "RBS-PLACE-03", "RBS-PLACE-07"],
    fault: () => understandAs((options) => (waits(options) ? { ...options, WaitForPlace: 0 } : options)),
  },
  {
    id: "place-late",
    title: "A request that waits gets the place long after it is free",
    killedBy: ["RBS-PLACE-01"],
    fault: () =>
      onOperation("openBrowser", async ({ request, body, next }) => {
        const response = await next(request);
        if (waits(body) && response.status === 200 && Number(body["WaitForPlace"]) > 20) await sleep(11_000);
        return response;
      }),
  },
  {
    id: "place-by-default",
    title: "Without WaitForPlace, Open waits for three seconds",
    killedBy: ["RBS-PLACE-02"],
    fault: () => understandAs((options) => ({ WaitForPlace: 3, ...options })),
  },
  {
    id: "place-null",
    title: "WaitForPlace null means three seconds",
    killedBy: ["RBS-PLACE-02"],
    fault: () =>
      understandAs((options) => (options["WaitForPlace"] === null ? { ...options, WaitForPlace: 3 } : options)),
  },
  {
    id: "place-whole-seconds",
    title: "WaitForPlace is rounded down to whole seconds",
    killedBy: ["RBS-PLACE-03"],
    fault: () =>
      understandAs((options) =>
        waits(options) ? { ...options, WaitForPlace: Math.floor(Number(options["WaitForPlace"])) } : options,
      ),
  },
  {
    id: "place-503",
    title: "A request that has waited in vain for its account is answered with 503",
    killedBy: ["RBS-PLACE-03"],
    fault: () =>
      onOperation("openBrowser", async ({ request, body, next }) => {
        const response = await next(request);
        return waits(body) && response.status === 404 ? refusal("BrowserUnavailable") : response;
      }),
  },
  {
    id: "place-longest",
    title: "A WaitForPlace above 45 means 45",
    killedBy: ["RBS-PLACE-04"],
    fault: () =>
      understandAs((options) =>
        waits(options) ? { ...options, WaitForPlace: Math.min(45, Number(options["WaitForPlace"])) } : options,
      ),
  },
  {
    id: "place-negative",
    title: "A negative WaitForPlace means 0",
    killedBy: ["RBS-PLACE-04"],
    fault: () =>
      understandAs((options) => (Number(options["WaitForPlace"]) < 0 ? { ...options, WaitForPlace: 0 } : options)),
  },
  {
    id: "place-without-client",
    title: "A request whose client has left waits on, and takes the place",
    killedBy: ["RBS-PLACE-05"],
    fault: () =>
      onOperation("openBrowser", async ({ request, body, next }) => {
        const { url, method, headers } = request;
        return next(waits(body) ? withBody(new Request(url, { method, headers }), JSON.stringify(body)) : request);
      }),
  },
  {
    id: "place-late-refusal",
    title: "With WaitForPlace, a request without a subscription is refused late",
    killedBy: ["RBS-PLACE-06"],
    fault: () =>
      onOperation("openBrowser", async ({ request, body, next }) => {
        const response = await next(request);
        if (waits(body) && response.status === 402) await sleep(6000);
        return response;
      }),
  },
  {
    id: "place-key-unknown",
    title: "With WaitForPlace, the Idempotency-Key is ignored",
    killedBy: ["RBS-PLACE-07"],
    fault: () =>
      onOperation("openBrowser", async ({ request, body, next }) => {
        if (!waits(body)) return next(request);
        const other = withBody(request, JSON.stringify(body));
        other.headers.delete("Idempotency-Key");
        return next(other);
      }),
  },
];
