import type { Mutant } from "../mutant.ts";
import { onRequest, withBody } from "./alter.ts";
import { asking, onOperation, read, type Shown, withLocalBrowsers } from "./shown.ts";
import { onBrowser } from "./use-cases.ts";

const VALUES = ["keepOpen", "lifetime", "label", "tags"];
/** Of the plan of the account `limited`. */
const PLAN_MS = 3_600_000;

const isNumber = (value: unknown): value is number => typeof value === "number" && value >= 0;
const has = (body: Shown, ...names: readonly string[]): boolean => names.some((name) => (body[name] ?? null) !== null);
const withoutValues = (body: Shown): Shown =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !VALUES.includes(name)));

/** Changing an open browser. */
export const UPDATE_MUTANTS: readonly Mutant[] = [
  {
    id: "update-forgotten",
    title: "Update returns the new values but does not keep them",
    killedBy: ["RBS-UPDATE-01"],
    fault: () =>
      onOperation("updateBrowser", async ({ request, body, next }) => {
        if (!has(body, "label", "tags", "keepOpen") || has(body, "lifetime")) return next(request);
        const response = await next(asking(request, "getBrowserInfo", withoutValues(body)));
        if (response.status !== 200) return next(request);
        const { label, tags, keepOpen, ...shown } = await read(response);
        const values = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
        return Response.json({ ...shown, label, tags, keepOpen, ...values }, { headers: response.headers });
      }),
  },
  {
    id: "update-answers-old",
    title: "Update returns the former values",
    killedBy: ["RBS-UPDATE-01"],
    fault: () =>
      onOperation("updateBrowser", async ({ request, body, next }) => {
        const before = await next(asking(request, "getBrowserInfo", withoutValues(body)));
        const response = await next(request);
        return response.status === 200 ? before : response;
      }),
  },
  {
    id: "update-label-only",
    title: "If Update has a new label, it ignores the tags",
    killedBy: ["RBS-UPDATE-01"],
    fault: () => onRequest("updateBrowser", ({ tags, ...body }) => (has(body, "label") ? body : { tags, ...body })),
  },
  {
    id: "update-tags-added",
    title: "Update adds tags to the former ones",
    killedBy: ["RBS-UPDATE-01", "RBS-UPDATE-02"],
    fault: () =>
      withLocalBrowsers((find) =>
        onRequest("updateBrowser", (body) =>
          Array.isArray(body["tags"]) ? { ...body, tags: [...(find(body)?.tags ?? []), ...body["tags"]] } : body,
        ),
      ),
  },
  {
    id: "update-all",
    title: "Update changes the label of all browsers with the same tags",
    killedBy: ["RBS-UPDATE-01"],
    fault: () =>
      withLocalBrowsers((find, localBrowsers) =>
        onOperation("updateBrowser", async ({ request, body, next }) => {
          const tags = JSON.stringify(find(body)?.tags ?? []);
          const { label } = body;
          const others = [...localBrowsers().all()].filter(
            (each) => tags !== "[]" && JSON.stringify(each.tags) === tags,
          );
          const response = await next(request);
          if (response.status !== 200 || typeof label !== "string") return response;
          for (const each of others) each.change({ label, tags: each.tags, expiry: each.expiry });
          return response;
        }),
      ),
  },
  {
    id: "update-relative",
    title: "Update adds keepOpen to the current period",
    killedBy: ["RBS-UPDATE-01", "RBS-UPDATE-02"],
    fault: () =>
      withLocalBrowsers((find) =>
        onRequest("updateBrowser", (body) =>
          isNumber(body["keepOpen"]) && body["keepOpen"] > 0
            ? { ...body, keepOpen: body["keepOpen"] + (find(body)?.expiry.keepOpenMs ?? 0) / 1000 }
            : body,
        ),
      ),
  },
  {
    id: "update-nothing-allowed",
    title: "An Update without new values answers 200",
    killedBy: ["RBS-UPDATE-03"],
    fault: () =>
      onOperation("updateBrowser", ({ request, body, next }) =>
        next(has(body, ...VALUES) ? request : asking(request, "getBrowserInfo", body)),
      ),
  },
  {
    id: "update-nulls-allowed",
    title: "An Update with only nulls answers 200",
    killedBy: ["RBS-UPDATE-03"],
    fault: () =>
      onOperation("updateBrowser", ({ request, body, next }) =>
        next(
          VALUES.some((name) => body[name] === null) && !has(body, ...VALUES)
            ? asking(request, "getBrowserInfo", withoutValues(body))
            : request,
        ),
      ),
  },
  {
    id: "update-null-clears",
    title: "In Update, null removes the tags",
    killedBy: ["RBS-UPDATE-04"],
    fault: () =>
      onRequest("updateBrowser", (body) =>
        has(body, ...VALUES) && body["tags"] === null ? { ...body, tags: [] } : body,
      ),
  },
  {
    id: "update-omitted-clears",
    title: "Update removes the tags if it has none",
    killedBy: ["RBS-UPDATE-04"],
    fault: () => onRequest("updateBrowser", (body) => (has(body, ...VALUES) ? { tags: [], ...body } : body)),
  },
  {
    id: "update-lifetime-reset",
    title: "Update without a lifetime means the maximum lifetime",
    killedBy: ["RBS-UPDATE-04"],
    fault: () =>
      onRequest("updateBrowser", (body) =>
        has(body, ...VALUES) ? { ...body, lifetime: body["lifetime"] ?? 0 } : body,
      ),
  },
  {
    id: "update-partly",
    title: "A refused Update changes the label",
    killedBy: ["RBS-UPDATE-05"],
    fault: () =>
      onOperation("updateBrowser", async ({ request, body, next }) => {
        const response = await next(request);
        const { label } = body;
        if (response.status !== 400 || typeof label !== "string") return response;
        await next(withBody(request, JSON.stringify({ ...withoutValues(body), label })));
        return response;
      }),
  },
  {
    id: "update-negative",
    title: "In Update, a negative lifetime means the maximum",
    killedBy: ["RBS-UPDATE-05"],
    fault: () =>
      onRequest("updateBrowser", (body) =>
        typeof body["lifetime"] === "number" ? { ...body, lifetime: Math.max(0, body["lifetime"]) } : body,
      ),
  },
  {
    id: "update-tags-cut",
    title: "Update leaves out tags that are too many",
    killedBy: ["RBS-UPDATE-05"],
    fault: () =>
      onRequest("updateBrowser", (body) =>
        Array.isArray(body["tags"]) ? { ...body, tags: body["tags"].slice(0, 20) } : body,
      ),
  },
  {
    id: "update-restarts-period",
    title: "Update starts the inactivity period again",
    killedBy: ["RBS-UPDATE-06"],
    fault: () =>
      withLocalBrowsers((find) =>
        onOperation("updateBrowser", ({ request, body, next }) => {
          find(body)?.join({ end: () => {} })();
          return next(request);
        }),
      ),
  },
  {
    id: "update-old-period",
    title: "After Update, the former inactivity period still closes the browser",
    killedBy: ["RBS-UPDATE-07"],
    fault: () =>
      onBrowser((browser) => ({
        change(values) {
          const { due } = browser;
          const leftMs = due === undefined ? Infinity : due.at.getTime() - Date.now();
          if (leftMs < 30_000) setTimeout(() => void browser.close("inactive"), leftMs).unref();
          browser.change(values);
        },
      })),
  },
  {
    id: "update-ignores-clients",
    title: "A keepOpen that Update has shortened closes a browser with clients",
    killedBy: ["RBS-UPDATE-07"],
    fault: () =>
      onBrowser((browser) => ({
        change(values) {
          const { keepOpenMs = Infinity } = values.expiry;
          if (keepOpenMs < 30_000) setTimeout(() => void browser.close("inactive"), keepOpenMs).unref();
          browser.change(values);
        },
      })),
  },
  {
    id: "update-lifetime-from-now",
    title: "Update counts the lifetime from now",
    killedBy: ["RBS-UPDATE-08"],
    fault: () =>
      withLocalBrowsers((find) =>
        onRequest("updateBrowser", (body) => {
          const ageMs = Date.now() - (find(body)?.openedAt.getTime() ?? Date.now());
          const { lifetime } = body;
          return isNumber(lifetime) && lifetime > 0 ? { ...body, lifetime: lifetime + ageMs / 1000 } : body;
        }),
      ),
  },
  {
    id: "update-lifetime-zero",
    title: "In Update, a lifetime of 0 changes nothing",
    killedBy: ["RBS-UPDATE-08"],
    fault: () =>
      withLocalBrowsers((find) =>
        onRequest("updateBrowser", (body) =>
          body["lifetime"] === 0 ? { ...body, lifetime: (find(body)?.expiry.lifetimeMs ?? 0) / 1000 } : body,
        ),
      ),
  },
  {
    id: "update-too-old",
    title: "Update ignores a lifetime that is over",
    killedBy: ["RBS-UPDATE-09"],
    fault: () =>
      withLocalBrowsers((find) =>
        onRequest("updateBrowser", (body) => {
          const ageMs = Date.now() - (find(body)?.openedAt.getTime() ?? Date.now());
          const { lifetime } = body;
          return isNumber(lifetime) && lifetime > 0 && lifetime * 1000 < ageMs ? { ...body, lifetime: 0 } : body;
        }),
      ),
  },
  {
    id: "update-over-plan",
    title: "With Update, a browser may live longer than its plan allows",
    killedBy: ["RBS-UPDATE-10"],
    fault: () =>
      onBrowser((browser) => ({
        change({ label, tags, expiry }) {
          const isMost = expiry.lifetimeMs === PLAN_MS;
          browser.change({ label, tags, expiry: isMost ? { ...expiry, lifetimeMs: 2 * PLAN_MS } : expiry });
        },
      })),
  },
];
