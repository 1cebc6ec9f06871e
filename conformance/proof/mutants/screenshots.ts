import type { Fault, Mutant } from "../mutant.ts";
import { isFor, onAnswer, onCall, refusal, withBody } from "./alter.ts";
import { onOperation, withLocalBrowsers } from "./shown.ts";

/** A PNG of one pixel. */
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

type Shot = Readonly<Record<string, unknown>>;

function onScreenshot(alter: (shot: Shot) => Shot): Fault {
  return onAnswer("takeScreenshot", ({ status, body }) => (status === 200 ? { body: alter(body) } : {}));
}

/** Pictures of what browsers show. */
export const SCREENSHOT_MUTANTS: readonly Mutant[] = [
  {
    id: "shot-other-type",
    title: "A screenshot names another type than the picture has",
    killedBy: ["RBS-SHOT-01"],
    fault: () => onScreenshot((shot) => ({ ...shot, type: shot["type"] === "image/png" ? "image/jpeg" : "image/png" })),
  },
  {
    id: "shot-data-url",
    title: "A screenshot is a data URL instead of Base64",
    killedBy: ["RBS-SHOT-01"],
    fault: () => onScreenshot(({ type, image }) => ({ type, image: `data:${String(type)};base64,${String(image)}` })),
  },
  {
    id: "shot-url-safe",
    title: "A screenshot is encoded in the URL-safe variant of Base64",
    killedBy: ["RBS-SHOT-01"],
    fault: () =>
      onScreenshot(({ type, image }) => ({
        type,
        image: Buffer.from(String(image), "base64").toString("base64url"),
      })),
  },
  {
    id: "shot-empty",
    title: "A screenshot is not a picture",
    killedBy: ["RBS-SHOT-01"],
    fault: () => onScreenshot((shot) => ({ ...shot, image: "AAAA" })),
  },
  {
    id: "shot-small",
    title: "A screenshot is smaller than the page",
    killedBy: ["RBS-SHOT-02"],
    fault: () => onScreenshot(() => ({ type: "image/png", image: PIXEL })),
  },
  {
    id: "shot-activity",
    title: "A screenshot counts as activity",
    killedBy: ["RBS-SHOT-03"],
    fault: () =>
      withLocalBrowsers((find) =>
        onOperation("takeScreenshot", async ({ request, body, next }) => {
          const response = await next(request);
          find(body)?.join({ end: () => {} })();
          return response;
        }),
      ),
  },
  {
    id: "shot-of-ended",
    title: "A browser that has ended has an empty screenshot",
    killedBy: ["RBS-SHOT-04"],
    fault: () =>
      onAnswer("takeScreenshot", ({ status }) =>
        status === 404 ? { status: 200, body: { type: "image/png", image: PIXEL } } : {},
      ),
  },
  {
    id: "shot-id-first",
    title: "Screenshot ignores the address beside an id",
    killedBy: ["RBS-SHOT-05"],
    fault: () =>
      onOperation("takeScreenshot", ({ request, body, next }) =>
        next("id" in body ? withBody(request, JSON.stringify({ id: body["id"] })) : request),
      ),
  },
  {
    id: "shot-of-any",
    title: "Screenshot shows the browsers of any account",
    killedBy: ["RBS-ISO-02"],
    fault: () =>
      withLocalBrowsers((find) =>
        onOperation("takeScreenshot", async ({ request, body, next }) => {
          const response = await next(request);
          const isOpen = response.status === 404 && find(body) !== undefined;
          return isOpen ? Response.json({ type: "image/png", image: PIXEL }, { headers: response.headers }) : response;
        }),
      ),
  },
  {
    id: "shot-incomplete-body-404",
    title: "Screenshot answers a body that is not JSON with 404",
    killedBy: ["RBS-BODY-06"],
    fault: () =>
      onCall((request, text) => {
        const isMeant = isFor(request, "takeScreenshot") && request.headers.has("authorization");
        return isMeant && !isJson(text) ? refusal("BrowserNotFound") : undefined;
      }),
  },
];

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return text === "";
  }
}
