import { parse } from "../../../src/target/json.ts";
import { type Fault, type Mutant, mutant, pageMutant } from "../../mutant.ts";
import { isFor, onAnswer, onCall, onSuccess, refusal, withBody } from "../../faults/alter.ts";
import { type Shown, onOperation, withLocalBrowsers } from "../../faults/shown.ts";

/** A one-pixel PNG. */
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const onScreenshot = (alter: (shot: Shown) => object): Fault => onSuccess("takeScreenshot", alter);

/** Replaces pictures. The new response has the original's headers, unless it sets them. */
function onImage(replace: (type: string, bytes: Buffer) => Response): Fault {
  return {
    async answer(request, next) {
      const response = await next(request);
      if (!isFor(request, "takeScreenshotImage") || response.status !== 200) return response;
      const type = response.headers.get("content-type") ?? "";
      const other = replace(type, Buffer.from(await response.arrayBuffer()));
      const headers = { ...Object.fromEntries(response.headers), ...Object.fromEntries(other.headers) };
      return new Response(other.body, { headers });
    },
  };
}

/** Faults in screenshots. */
export const SCREENSHOT_MUTANTS: readonly Mutant[] = [
  mutant("shot-other-type", ["RBS-SHOT-01"], "A screenshot's declared type doesn't match the image", () =>
    onScreenshot((shot) => ({ ...shot, type: shot["type"] === "image/png" ? "image/jpeg" : "image/png" })),
  ),
  mutant("shot-data-url", ["RBS-SHOT-01"], "A screenshot is a data URL instead of Base64", () =>
    onScreenshot(({ type, image }) => ({ type, image: `data:${String(type)};base64,${String(image)}` })),
  ),
  mutant("shot-url-safe", ["RBS-SHOT-01"], "A screenshot is encoded as URL-safe Base64", () =>
    onScreenshot(({ type, image }) => ({
      type,
      image: Buffer.from(String(image), "base64").toString("base64url"),
    })),
  ),
  mutant("shot-empty", ["RBS-SHOT-01"], "A screenshot isn't an image", () =>
    onScreenshot((shot) => ({ ...shot, image: "AAAA" })),
  ),
  mutant("shot-small", ["RBS-SHOT-02"], "A screenshot is smaller than the page", () =>
    onScreenshot(() => ({ type: "image/png", image: PIXEL })),
  ),
  pageMutant("shot-white", ["RBS-SHOT-06"], "Every screenshot is white", () =>
    onScreenshot(() => ({ type: "image/png", image: PIXEL })),
  ),
  pageMutant("shot-old", ["RBS-SHOT-06"], "Every screenshot is the browser's first one", () => {
    let first: Shown | undefined;
    return onScreenshot((shot) => (first ??= shot));
  }),
  mutant("shot-activity", ["RBS-SHOT-03"], "A screenshot counts as activity", () =>
    withLocalBrowsers((find) =>
      onOperation("takeScreenshot", async ({ request, body, next }) => {
        const response = await next(request);
        find(body)?.join({ end: () => {} })();
        return response;
      }),
    ),
  ),
  mutant("shot-of-ended", ["RBS-SHOT-04"], "Screenshot returns an empty image for a browser that has ended", () =>
    onAnswer("takeScreenshot", ({ status }) =>
      status === 404 ? { status: 200, body: { type: "image/png", image: PIXEL } } : {},
    ),
  ),
  mutant("shot-id-first", ["RBS-SHOT-05"], "Screenshot ignores the address if there is an id", () =>
    onOperation("takeScreenshot", ({ request, body, next }) =>
      next("id" in body ? withBody(request, JSON.stringify({ id: body["id"] })) : request),
    ),
  ),
  mutant("shot-of-any", ["RBS-ISO-02"], "Screenshot works for any account's browsers", () =>
    withLocalBrowsers((find) =>
      onOperation("takeScreenshot", async ({ request, body, next }) => {
        const response = await next(request);
        const isOpen = response.status === 404 && find(body) !== undefined;
        return isOpen ? Response.json({ type: "image/png", image: PIXEL }, { headers: response.headers }) : response;
      }),
    ),
  ),
  mutant("shot-image-in-json", ["RBS-SHOT-07", "RBS-ANSWER-01"], "ScreenshotImage responds with JSON", () =>
    onImage((type, bytes) => Response.json({ type, image: bytes.toString("base64") })),
  ),
  mutant("shot-image-small", ["RBS-SHOT-07"], "ScreenshotImage responds with a smaller picture", () =>
    onImage((type) => new Response(Buffer.from(PIXEL, "base64"), { headers: { "Content-Type": type } })),
  ),
  mutant("shot-image-missing", ["RBS-SHOT-07", "RBS-SHOT-08"], "The deployment lacks ScreenshotImage", () =>
    onCall((request) => (isFor(request, "takeScreenshotImage") ? refusal("NotFound") : undefined)),
  ),
  mutant("shot-image-of-nothing", ["RBS-SHOT-08"], "ScreenshotImage returns 404 if the request has no id", () =>
    onCall((request) => {
      const isMeant = isFor(request, "takeScreenshotImage") && request.headers.has("authorization");
      return isMeant && !new URL(request.url).searchParams.has("id") ? refusal("BrowserNotFound") : undefined;
    }),
  ),
  mutant("shot-incomplete-body-404", ["RBS-BODY-06"], "Screenshot returns 404 for a body that isn't JSON", () =>
    onCall((request, text) => {
      const isMeant = isFor(request, "takeScreenshot") && request.headers.has("authorization");
      return isMeant && text !== "" && parse(text) === undefined ? refusal("BrowserNotFound") : undefined;
    }),
  ),
];
