import { setTimeout as sleep } from "node:timers/promises";
import { type Fault, type Mutant, mutant } from "../../mutant.ts";
import { onAnswer, onMember, onRequest, refusal, withBody } from "../../faults/alter.ts";
import { onOperation, read, withLocalBrowsers } from "../../faults/shown.ts";

const isShort = (seconds: unknown): seconds is number => typeof seconds === "number" && seconds >= 0 && seconds <= 50;

/** Alters the maximum waiting time in Wait requests. */
function onSeconds(alter: (seconds: number) => number): Fault {
  return onMember("waitForBrowser", "seconds", (value) => (isShort(value) ? alter(value) : value));
}

/** Faults in waiting for a browser to end. */
export const WAIT_MUTANTS: readonly Mutant[] = [
  mutant("wait-not", ["RBS-WAIT-01", "RBS-WAIT-02"], "Wait answers immediately", () => onSeconds(() => 0)),
  mutant("wait-to-the-end", ["RBS-WAIT-01", "RBS-WAIT-03"], "Wait always waits for the maximum time", () =>
    onOperation("waitForBrowser", async ({ request, body, next }) => {
      const { seconds } = body;
      const response = await next(request);
      // Eight seconds is long enough for every rule.
      if (response.status === 200 && isShort(seconds)) await sleep(Math.min(seconds, 8) * 1000);
      return response;
    }),
  ),
  mutant("wait-exited-unseen", ["RBS-WAIT-01", "RBS-INFO-04"], "Wait doesn't notice that a browser exits", () =>
    onAnswer("waitForBrowser", ({ body }) =>
      body["reason"] === "exited" ? { body: { state: "open", reason: null } } : {},
    ),
  ),
  mutant("wait-one-client", ["RBS-WAIT-01"], "Only one client can wait for a browser", () =>
    withLocalBrowsers((find) => {
      const waiting = new Set<unknown>();
      return onOperation("waitForBrowser", async ({ request, body, next }) => {
        const browser = find(body);
        if (browser === undefined) return next(request);
        const isFirst = !waiting.has(browser.id);
        waiting.add(browser.id);
        return next(isFirst ? request : withBody(request, JSON.stringify({ ...body, seconds: 0 })));
      });
    }),
  ),
  mutant("wait-connected", ["RBS-WAIT-02"], "Wait answers immediately while a client is connected", () =>
    withLocalBrowsers((find) =>
      onOperation("waitForBrowser", async ({ request, body, next }) => {
        const isUsed = (find(body)?.clients ?? 0) > 0;
        return next(isUsed ? withBody(request, JSON.stringify({ ...body, seconds: 0 })) : request);
      }),
    ),
  ),
  mutant("wait-milliseconds", ["RBS-WAIT-02"], "Wait interprets seconds as milliseconds", () =>
    onSeconds((seconds) => seconds / 1000),
  ),
  mutant("wait-whole-seconds", ["RBS-WAIT-02"], "Wait rounds seconds down", () => onSeconds(Math.floor)),
  mutant("wait-open-404", ["RBS-WAIT-02"], "Wait returns 404 if the browser is still open when the time is up", () =>
    onOperation("waitForBrowser", async ({ request, next }) => {
      const response = await next(request);
      const { state } = await read(response);
      return state === "open" ? refusal("BrowserNotFound") : response;
    }),
  ),
  mutant("wait-ended-404", ["RBS-WAIT-03"], "Wait returns 404 for a browser that has ended", () =>
    withLocalBrowsers((find) =>
      onOperation("waitForBrowser", async ({ request, body, next }) => {
        const isOpen = find(body) !== undefined;
        const response = await next(request);
        return response.status === 200 && !isOpen ? refusal("BrowserNotFound") : response;
      }),
    ),
  ),
  mutant("wait-is-activity", ["RBS-WAIT-04"], "A Wait request keeps the browser open", () =>
    withLocalBrowsers((find) =>
      onOperation("waitForBrowser", async ({ request, body, next }) => {
        const leave = find(body)?.join({ end: () => {} });
        try {
          return await next(request);
        } finally {
          leave?.();
        }
      }),
    ),
  ),
  mutant("wait-capped", ["RBS-WAIT-05"], "Wait treats more than 50 seconds as 50", () =>
    onMember("waitForBrowser", "seconds", (value) => (typeof value === "number" ? Math.min(50, value) : value)),
  ),
  mutant("wait-negative", ["RBS-WAIT-05"], "Wait treats negative seconds as 0", () =>
    onMember("waitForBrowser", "seconds", (value) => (typeof value === "number" ? Math.max(0, value) : value)),
  ),
  mutant("wait-null-refused", ["RBS-WAIT-05"], "In Wait, seconds can't be null", () =>
    onMember("waitForBrowser", "seconds", (value) => (value === null ? "" : value)),
  ),
  mutant("wait-default", ["RBS-WAIT-06"], "Without seconds, Wait waits for ten seconds", () =>
    onRequest("waitForBrowser", (body) => ({ ...body, seconds: body["seconds"] ?? 10 })),
  ),
];
