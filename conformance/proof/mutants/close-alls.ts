import { setTimeout as sleep } from "node:timers/promises";
import type { OpenBrowser } from "../../../server/test/interface.ts";
import type { Fault, Mutant } from "../mutant.ts";
import { onAnswer, onRequest, refusal } from "./alter.ts";
import { onOperation, type Shown, withLocalBrowsers } from "./shown.ts";

const WHICH = ["label", "tag", "all"];
const isNothing = (body: Shown): boolean => WHICH.every((name) => (body[name] ?? null) === null);
const isText = (value: unknown): value is string => typeof value === "string" && value !== "" && value.length <= 128;

/**
 * Also closes the browsers of some other kind.
 * @param isMeant Whether to close the browser. Receives the request's label or tag.
 */
function closesAlso(isMeant: (browser: OpenBrowser, which: { label: string; tag: string }) => boolean): Fault {
  return withLocalBrowsers((_, localBrowsers) =>
    onOperation("closeAllBrowsers", async ({ request, body, next }) => {
      const response = await next(request);
      const { label = "", tag = "" } = body;
      if (response.status !== 200) return response;
      const which = { label: isText(label) ? label : "\0", tag: isText(tag) ? tag : "\0" };
      const others = [...localBrowsers().all()].filter((browser) => isMeant(browser, which));
      await Promise.all(others.map((browser) => browser.close("requested")));
      return response;
    }),
  );
}

/** Answers with the number of closed browsers, without the server. */
function replaced(close: (meant: readonly OpenBrowser[], body: Shown) => Promise<number | undefined>): Fault {
  return withLocalBrowsers((_, localBrowsers) =>
    onOperation("closeAllBrowsers", async ({ request, body, next }) => {
      const { label, tag } = body;
      const meant = [...localBrowsers().all()].filter((browser) =>
        isText(label) ? browser.label === label : isText(tag) && browser.tags.includes(tag),
      );
      if (meant.length === 0) return next(request);
      const closed = await close(meant, body);
      const response = await next(request);
      return closed === undefined ? response : Response.json({ closed }, { headers: response.headers });
    }),
  );
}

/** Closing several browsers. */
export const CLOSE_ALL_MUTANTS: readonly Mutant[] = [
  {
    id: "close-all-prefix",
    title: "CloseAll closes browsers whose label begins with the given one",
    killedBy: ["RBS-CLOSEALL-01"],
    fault: () => closesAlso((browser, { label }) => browser.label?.startsWith(label) === true),
  },
  {
    id: "close-all-any-case",
    title: "Upper and lower case of labels do not matter to CloseAll",
    killedBy: ["RBS-CLOSEALL-01"],
    fault: () => closesAlso((browser, { label }) => browser.label?.toLowerCase() === label.toLowerCase()),
  },
  {
    id: "close-all-label-is-tag",
    title: "The label of CloseAll also selects browsers with this tag",
    killedBy: ["RBS-CLOSEALL-01"],
    fault: () => closesAlso((browser, { label }) => browser.tags.includes(label)),
  },
  {
    id: "close-all-counts-none",
    title: "CloseAll always returns 0",
    killedBy: ["RBS-CLOSEALL-01", "RBS-CLOSEALL-02", "RBS-CLOSEALL-07"],
    fault: () =>
      onAnswer("closeAllBrowsers", ({ status, body }) => (status === 200 ? { body: { ...body, closed: 0 } } : {})),
  },
  {
    id: "close-all-late",
    title: "CloseAll answers two seconds before the browsers are closed",
    killedBy: ["RBS-CLOSEALL-01", "RBS-CLOSEALL-02"],
    fault: () =>
      withLocalBrowsers((_, localBrowsers) =>
        onOperation("closeAllBrowsers", async ({ request, body, next }) => {
          const { label, tag } = body;
          const meant = [...localBrowsers().all()].filter((browser) =>
            isText(label) ? browser.label === label : isText(tag) && browser.tags.includes(tag),
          );
          if (meant.length === 0) return next(request);
          void sleep(2000).then(() => Promise.all(meant.map((browser) => browser.close("requested"))));
          return Response.json({ closed: meant.length }, { headers: { "X-Request-Id": `late-${Math.random()}` } });
        }),
      ),
  },
  {
    id: "close-all-tag-first",
    title: "CloseAll only considers the first tag of a browser",
    killedBy: ["RBS-CLOSEALL-02"],
    fault: () =>
      withLocalBrowsers((_, localBrowsers) =>
        onOperation("closeAllBrowsers", async ({ request, body, next }) => {
          const { tag } = body;
          if (!isText(tag)) return next(request);
          const meant = [...localBrowsers().all()].filter((browser) => browser.tags[0] === tag);
          await Promise.all(meant.map((browser) => browser.close("requested")));
          return Response.json({ closed: meant.length }, { headers: { "X-Request-Id": `first-${Math.random()}` } });
        }),
      ),
  },
  {
    id: "close-all-tag-is-label",
    title: "The tag of CloseAll also selects browsers with this label",
    killedBy: ["RBS-CLOSEALL-02"],
    fault: () => closesAlso((browser, { tag }) => browser.label === tag),
  },
  {
    id: "close-all-reason",
    title: "Browsers that CloseAll closes end with the reason of a shutdown",
    killedBy: ["RBS-CLOSEALL-03"],
    fault: () =>
      replaced(async (meant) => {
        await Promise.all(meant.map((browser) => browser.close("shutdown")));
        return meant.length;
      }),
  },
  {
    id: "close-all-none-404",
    title: "CloseAll answers 404 if there are no such browsers",
    killedBy: ["RBS-CLOSEALL-04"],
    fault: () =>
      onOperation("closeAllBrowsers", async ({ request, next }) => {
        const response = await next(request);
        const { closed } = (await response.clone().json()) as { closed?: unknown };
        return closed === 0 ? refusal("BrowserNotFound") : response;
      }),
  },
  {
    id: "close-all-counts-ended",
    title: "CloseAll also counts browsers that have ended",
    killedBy: ["RBS-CLOSEALL-04"],
    fault: () => {
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
    },
  },
  {
    id: "close-all-label-wins",
    title: "If CloseAll has a label and a tag, the tag is ignored",
    killedBy: ["RBS-CLOSEALL-05"],
    fault: () =>
      onRequest("closeAllBrowsers", ({ tag, ...body }) =>
        isText(body["label"]) && isText(tag) && !("all" in body) ? body : { tag, ...body },
      ),
  },
  {
    id: "close-all-long-label",
    title: "CloseAll accepts labels of any length",
    killedBy: ["RBS-CLOSEALL-05"],
    fault: () =>
      onRequest("closeAllBrowsers", (body) =>
        typeof body["label"] === "string" ? { ...body, label: Array.from(body["label"]).slice(0, 256).join("") } : body,
      ),
  },
  {
    id: "close-all-without-choice",
    title: "CloseAll without a choice closes all browsers",
    killedBy: ["RBS-CLOSEALL-06"],
    fault: () => onRequest("closeAllBrowsers", (body) => (isNothing(body) ? { all: true } : body)),
  },
  {
    id: "close-all-all-and-label",
    title: "If CloseAll has all and a label, the label is ignored",
    killedBy: ["RBS-CLOSEALL-06"],
    fault: () =>
      onRequest("closeAllBrowsers", ({ label, ...body }) => (body["all"] === true ? body : { label, ...body })),
  },
  {
    id: "close-all-truthy",
    title: "CloseAll accepts 1 for true",
    killedBy: ["RBS-CLOSEALL-06"],
    fault: () => onRequest("closeAllBrowsers", (body) => (body["all"] === 1 ? { ...body, all: true } : body)),
  },
  {
    id: "close-all-false",
    title: "CloseAll with all false closes all browsers",
    killedBy: ["RBS-CLOSEALL-07"],
    fault: () => onRequest("closeAllBrowsers", (body) => (body["all"] === false ? { ...body, all: true } : body)),
  },
  {
    id: "close-all-oldest",
    title: "CloseAll with all true only closes the oldest browser",
    killedBy: ["RBS-CLOSEALL-07"],
    fault: () =>
      withLocalBrowsers((_, localBrowsers) =>
        onOperation("closeAllBrowsers", async ({ request, body, next }) => {
          const [oldest] = [...localBrowsers().all()].filter(({ label }) => label?.startsWith("conformance-"));
          if (body["all"] !== true || isText(body["label"]) || isText(body["tag"])) return next(request);
          await oldest?.close("requested");
          return Response.json({ closed: 1 }, { headers: { "X-Request-Id": `oldest-${Math.random()}` } });
        }),
      ),
  },
];
