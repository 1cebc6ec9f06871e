import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { OpenBrowser } from "../../../../server/test/interface.ts";
import { type Fault, type Mutant, mutant } from "../../mutant.ts";
import { onMember, onRequest, onSuccess, refusal } from "../../faults/alter.ts";
import { type OperationCall, type Shown, onOperation, read, withLocalBrowsers } from "../../faults/shown.ts";

const WHICH = ["label", "tag", "all"];
const isNothing = (body: Shown): boolean => WHICH.every((name) => (body[name] ?? null) === null);
const isText = (value: unknown): value is string => typeof value === "string" && value !== "" && value.length <= 128;

/** Replaces CloseAll's response. @param answer Receives the call and a function that lists all open browsers. */
function onCloseAll(answer: (call: OperationCall, all: () => OpenBrowser[]) => Promise<Response>): Fault {
  return withLocalBrowsers((_, localBrowsers) =>
    onOperation("closeAllBrowsers", (call) => answer(call, () => [...localBrowsers().all()])),
  );
}

async function close(browsers: readonly OpenBrowser[], reason: "requested" | "shutdown" = "requested"): Promise<void> {
  await Promise.all(browsers.map((browser) => browser.close(reason)));
}

/** Whether a request's label or tag selects a browser. */
function isSelected({ label, tag }: Shown, browser: OpenBrowser): boolean {
  return isText(label) ? browser.label === label : isText(tag) && browser.tags.includes(tag);
}

/** Creates a response without calling the server. */
function toResponse(closed: number): Response {
  return Response.json({ closed }, { headers: { "X-Request-Id": randomUUID() } });
}

/** Makes CloseAll close more browsers. @param isMeant Whether to close a browser, given the request's label or tag. */
function closesAlso(isMeant: (browser: OpenBrowser, which: { label: string; tag: string }) => boolean): Fault {
  return onCloseAll(async ({ request, body, next }, all) => {
    const response = await next(request);
    const { label = "", tag = "" } = body;
    if (response.status !== 200) return response;
    const which = { label: isText(label) ? label : "\0", tag: isText(tag) ? tag : "\0" };
    await close(all().filter((browser) => isMeant(browser, which)));
    return response;
  });
}

/** Closing several browsers. */
export const CLOSE_ALL_MUTANTS: readonly Mutant[] = [
  mutant("close-all-prefix", ["RBS-CLOSEALL-01"], "CloseAll matches labels by prefix", () =>
    closesAlso((browser, { label }) => browser.label?.startsWith(label) === true),
  ),
  mutant("close-all-any-case", ["RBS-CLOSEALL-01"], "CloseAll matches labels case-insensitively", () =>
    closesAlso((browser, { label }) => browser.label?.toLowerCase() === label.toLowerCase()),
  ),
  mutant("close-all-label-is-tag", ["RBS-CLOSEALL-01"], "CloseAll's label also matches tags", () =>
    closesAlso((browser, { label }) => browser.tags.includes(label)),
  ),
  mutant("close-all-counts-none", ["RBS-CLOSEALL-01", "RBS-CLOSEALL-02", "RBS-CLOSEALL-07"], "CloseAll returns 0", () =>
    onSuccess("closeAllBrowsers", (body) => ({ ...body, closed: 0 })),
  ),
  mutant("close-all-late", ["RBS-CLOSEALL-01", "RBS-CLOSEALL-02"], "CloseAll responds 2 s before browsers close", () =>
    onCloseAll(async ({ request, body, next }, all) => {
      const selected = all().filter((browser) => isSelected(body, browser));
      if (selected.length === 0) return next(request);
      void sleep(2000).then(() => close(selected));
      return toResponse(selected.length);
    }),
  ),
  mutant("close-all-tag-first", ["RBS-CLOSEALL-02"], "CloseAll only considers a browser's first tag", () =>
    onCloseAll(async ({ request, body: { tag }, next }, all) => {
      if (!isText(tag)) return next(request);
      const selected = all().filter((browser) => browser.tags[0] === tag);
      await close(selected);
      return toResponse(selected.length);
    }),
  ),
  mutant("close-all-tag-is-label", ["RBS-CLOSEALL-02"], "CloseAll's tag also matches labels", () =>
    closesAlso((browser, { tag }) => browser.label === tag),
  ),
  mutant("close-all-reason", ["RBS-CLOSEALL-03"], "CloseAll closes browsers with the reason shutdown", () =>
    onCloseAll(async ({ request, body, next }, all) => {
      const selected = all().filter((browser) => isSelected(body, browser));
      await close(selected, "shutdown");
      const response = await next(request);
      return selected.length === 0 ? response : toResponse(selected.length);
    }),
  ),
  mutant("close-all-none-404", ["RBS-CLOSEALL-04"], "CloseAll returns 404 if no browser matches", () =>
    onOperation("closeAllBrowsers", async ({ request, next }) => {
      const response = await next(request);
      const { closed } = await read(response);
      return closed === 0 ? refusal("BrowserNotFound") : response;
    }),
  ),
  mutant("close-all-counts-ended", ["RBS-CLOSEALL-04"], "CloseAll also counts browsers that have ended", () => {
    const before = new Map<unknown, number>();
    return withLocalBrowsers((_, localBrowsers) => ({
      async answer(request, next) {
        for (const { label, id } of localBrowsers().all())
          if (label !== undefined) before.set(label, id.length > 0 ? 1 : 0);
        const counting = onOperation("closeAllBrowsers", async ({ request: asked, body, next: go }) => {
          const response = await go(asked);
          const { closed } = (await response.clone().json()) as { closed?: number };
          const more = closed === 0 ? (before.get(body["label"]) ?? 0) : 0;
          return more === 0 ? response : Response.json({ closed: more }, { headers: response.headers });
        });
        return counting.answer?.(request, next) ?? next(request);
      },
    }));
  }),
  mutant("close-all-label-wins", ["RBS-CLOSEALL-05"], "Given a label and a tag, CloseAll ignores the tag", () =>
    onRequest("closeAllBrowsers", ({ tag, ...body }) =>
      isText(body["label"]) && isText(tag) && !("all" in body) ? body : { tag, ...body },
    ),
  ),
  mutant("close-all-long-label", ["RBS-CLOSEALL-05"], "CloseAll accepts labels of any length", () =>
    onMember("closeAllBrowsers", "label", (value) =>
      typeof value === "string" ? Array.from(value).slice(0, 256).join("") : value,
    ),
  ),
  mutant("close-all-without-choice", ["RBS-CLOSEALL-06"], "Without label, tag or all, CloseAll closes everything", () =>
    onRequest("closeAllBrowsers", (body) => (isNothing(body) ? { all: true } : body)),
  ),
  mutant("close-all-all-and-label", ["RBS-CLOSEALL-06"], "Given all and a label, CloseAll ignores the label", () =>
    onRequest("closeAllBrowsers", ({ label, ...body }) => (body["all"] === true ? body : { label, ...body })),
  ),
  mutant("close-all-truthy", ["RBS-CLOSEALL-06"], "CloseAll accepts 1 as true", () =>
    onMember("closeAllBrowsers", "all", (value) => (value === 1 ? true : value)),
  ),
  mutant("close-all-false", ["RBS-CLOSEALL-07"], "CloseAll with all set to false closes all browsers", () =>
    onMember("closeAllBrowsers", "all", (value) => (value === false ? true : value)),
  ),
  mutant("close-all-oldest", ["RBS-CLOSEALL-07"], "CloseAll with all set to true only closes the oldest browser", () =>
    onCloseAll(async ({ request, body, next }, all) => {
      if (body["all"] !== true || isText(body["label"]) || isText(body["tag"])) return next(request);
      await all()
        .find(({ label }) => label?.startsWith("conformance-"))
        ?.close("requested");
      return toResponse(1);
    }),
  ),
];
