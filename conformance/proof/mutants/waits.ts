import { setTimeout as sleep } from "node:timers/promises";
import type { Mutant } from "../mutant.ts";
import { onAnswer, onRequest, refusal, withBody } from "./alter.ts";
import { onOperation, withLocalBrowsers } from "./shown.ts";

const isShort = (seconds: unknown): seconds is number => typeof seconds === "number" && seconds >= 0 && seconds <= 50;

/** A fault in how long Wait waits. */
function onSeconds(alter: (seconds: number) => number): ReturnType<Mutant["fault"]> {
  return onRequest("waitForBrowser", (body) =>
    isShort(body["seconds"]) ? { ...body, seconds: alter(body["seconds"]) } : body,
  );
}

/** Waiting for the end of a browser. */
export const WAIT_MUTANTS: readonly Mutant[] = [
  {
    id: "wait-not",
    title: "Wait answers at once",
    killedBy: ["RBS-WAIT-01", "RBS-WAIT-02"],
    fault: () => onSeconds(() => 0),
  },
  {
    id: "wait-to-the-end",
    title: "Wait only answers after its seconds, even if the browser ends before",
    killedBy: ["RBS-WAIT-01", "RBS-WAIT-03"],
    fault: () =>
      onOperation("waitForBrowser", async ({ request, body, next }) => {
        const { seconds } = body;
        const response = await next(request);
        // Long enough for every rule.
        if (response.status === 200 && isShort(seconds)) await sleep(Math.min(seconds, 8) * 1000);
        return response;
      }),
  },
  {
    id: "wait-exited-unseen",
    title: "Wait does not notice that a browser exits",
    killedBy: ["RBS-WAIT-01", "RBS-INFO-04"],
    fault: () =>
      onAnswer("waitForBrowser", ({ body }) =>
        body["reason"] === "exited" ? { body: { state: "open", reason: null } } : {},
      ),
  },
  {
    id: "wait-one-client",
    title: "Only one client can wait for a browser",
    killedBy: ["RBS-WAIT-01"],
    fault: () =>
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
  },
  {
    id: "wait-milliseconds",
    title: "The seconds of Wait are milliseconds",
    killedBy: ["RBS-WAIT-02"],
    fault: () => onSeconds((seconds) => seconds / 1000),
  },
  {
    id: "wait-whole-seconds",
    title: "The seconds of Wait are rounded down",
    killedBy: ["RBS-WAIT-02"],
    fault: () => onSeconds(Math.floor),
  },
  {
    id: "wait-open-404",
    title: "Wait answers 404 if the browser is still open after its seconds",
    killedBy: ["RBS-WAIT-02"],
    fault: () =>
      onOperation("waitForBrowser", async ({ request, next }) => {
        const response = await next(request);
        const { state } = (await response.clone().json()) as { state?: unknown };
        return state === "open" ? refusal("BrowserNotFound") : response;
      }),
  },
  {
    id: "wait-ended-404",
    title: "Wait answers 404 for a browser that has ended",
    killedBy: ["RBS-WAIT-03"],
    fault: () =>
      withLocalBrowsers((find) =>
        onOperation("waitForBrowser", async ({ request, body, next }) => {
          const isOpen = find(body) !== undefined;
          const response = await next(request);
          return response.status === 200 && !isOpen ? refusal("BrowserNotFound") : response;
        }),
      ),
  },
  {
    id: "wait-is-activity",
    title: "A request that waits for a browser keeps it open",
    killedBy: ["RBS-WAIT-04"],
    fault: () =>
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
  },
  {
    id: "wait-capped",
    title: "More than 50 seconds mean 50",
    killedBy: ["RBS-WAIT-05"],
    fault: () =>
      onRequest("waitForBrowser", (body) =>
        typeof body["seconds"] === "number" ? { ...body, seconds: Math.min(50, body["seconds"]) } : body,
      ),
  },
  {
    id: "wait-negative",
    title: "Negative seconds mean 0",
    killedBy: ["RBS-WAIT-05"],
    fault: () =>
      onRequest("waitForBrowser", (body) =>
        typeof body["seconds"] === "number" ? { ...body, seconds: Math.max(0, body["seconds"]) } : body,
      ),
  },
  {
    id: "wait-null-refused",
    title: "The seconds of Wait can't be null",
    killedBy: ["RBS-WAIT-05"],
    fault: () => onRequest("waitForBrowser", (body) => (body["seconds"] === null ? { ...body, seconds: "" } : body)),
  },
  {
    id: "wait-default",
    title: "Without seconds, Wait waits for ten seconds",
    killedBy: ["RBS-WAIT-06"],
    fault: () => onRequest("waitForBrowser", (body) => ({ ...body, seconds: body["seconds"] ?? 10 })),
  },
];
