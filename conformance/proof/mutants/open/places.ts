import { setTimeout as sleep } from "node:timers/promises";
import type { KeyedOpens } from "../../../../server/test/interface.ts";
import { type Mutant, mutant } from "../../mutant.ts";
import { isFor, refusal, withBody } from "../../faults/alter.ts";
import { type Options, onOption, understandAs } from "../../faults/open-options.ts";
import { onOperation, read } from "../../faults/shown.ts";
import { onKeyed } from "../../faults/use-cases.ts";
const waits = ({ WaitForPlace }: Options): boolean => typeof WaitForPlace === "number" && WaitForPlace > 0;

/** Faults in Open requests that wait for a free place. */
export const PLACE_MUTANTS: readonly Mutant[] = [
  mutant("place-ignored", ["RBS-PLACE-01", "RBS-PLACE-03", "RBS-PLACE-07"], "WaitForPlace is ignored", () =>
    understandAs((options) => (waits(options) ? { ...options, WaitForPlace: 0 } : options)),
  ),
  mutant("place-late", ["RBS-PLACE-01"], "A waiting request receives a free place much too late", () =>
    onOperation("openBrowser", async ({ request, body, next }) => {
      const response = await next(request);
      if (waits(body) && response.status === 200 && Number(body["WaitForPlace"]) > 20) await sleep(11_000);
      return response;
    }),
  ),
  mutant("place-by-default", ["RBS-PLACE-02"], "Without WaitForPlace, Open waits for three seconds", () =>
    understandAs((options) => ({ WaitForPlace: 3, ...options })),
  ),
  mutant("place-null", ["RBS-PLACE-02"], "WaitForPlace null means three seconds", () =>
    onOption("WaitForPlace", (value) => (value === null ? 3 : value)),
  ),
  mutant("place-whole-seconds", ["RBS-PLACE-03"], "WaitForPlace is rounded down to whole seconds", () =>
    understandAs((options) =>
      waits(options) ? { ...options, WaitForPlace: Math.floor(Number(options["WaitForPlace"])) } : options,
    ),
  ),
  mutant("place-503", ["RBS-PLACE-03"], "Open returns 503 if no place within the account limit becomes free", () =>
    onOperation("openBrowser", async ({ request, body, next }) => {
      const response = await next(request);
      return waits(body) && response.status === 404 ? refusal("BrowserUnavailable") : response;
    }),
  ),
  mutant("place-longest", ["RBS-PLACE-04"], "A WaitForPlace above 45 is treated as 45", () =>
    understandAs((options) =>
      waits(options) ? { ...options, WaitForPlace: Math.min(45, Number(options["WaitForPlace"])) } : options,
    ),
  ),
  mutant("place-negative", ["RBS-PLACE-04"], "A negative WaitForPlace is treated as 0", () =>
    onOption("WaitForPlace", (value) => (Number(value) < 0 ? 0 : value)),
  ),
  mutant("place-without-client", ["RBS-PLACE-05"], "An abandoned request keeps waiting and takes a free place", () =>
    onOperation("openBrowser", async ({ request, body, next }) => {
      const { url, method, headers } = request;
      return next(waits(body) ? withBody(new Request(url, { method, headers }), JSON.stringify(body)) : request);
    }),
  ),
  mutant(
    "place-key-without-client",
    ["RBS-PLACE-08"],
    "A waiting request with a key stops with its first client",
    () => {
      const opening = new Map<string, ReturnType<KeyedOpens["openOnce"]>>();
      return onKeyed((keyed, { localBrowsers }) => ({
        openOnce(call, key) {
          if (call.options.waitForPlaceMs === 0) return keyed.openOnce(call, key);
          const first = opening.get(key) ?? localBrowsers.openNew(call);
          opening.set(key, first);
          return first;
        },
      }));
    },
  ),
  mutant("place-waiting-counted", ["RBS-PLACE-09"], "A waiting request counts as an open browser", () => {
    let waiting = 0;
    return onOperation(["openBrowser", "getAccount"], async ({ request, body, next }) => {
      if (isFor(request, "openBrowser")) {
        const counted = waits(body) ? 1 : 0;
        waiting += counted;
        return next(request).finally(() => (waiting -= counted));
      }
      const response = await next(request);
      if (response.status !== 200) return response;
      const { open, ...shown } = await read(response);
      return Response.json({ ...shown, open: Number(open) + waiting }, { headers: response.headers });
    });
  }),
  mutant("place-late-refusal", ["RBS-PLACE-06"], "With WaitForPlace, a missing-subscription error is delayed", () =>
    onOperation("openBrowser", async ({ request, body, next }) => {
      const response = await next(request);
      if (waits(body) && response.status === 402) await sleep(6000);
      return response;
    }),
  ),
  mutant("place-key-unknown", ["RBS-PLACE-07"], "With WaitForPlace, the Idempotency-Key is ignored", () =>
    onOperation("openBrowser", async ({ request, body, next }) => {
      if (!waits(body)) return next(request);
      const other = withBody(request, JSON.stringify(body));
      other.headers.delete("Idempotency-Key");
      return next(other);
    }),
  ),
];
