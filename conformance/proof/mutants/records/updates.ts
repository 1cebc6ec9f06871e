import { type Mutant, mutant } from "../../mutant.ts";
import { onMember, onRequest, refusal, withBody } from "../../faults/alter.ts";
import { type Shown, asking, onOperation, onResult, read, withLocalBrowsers } from "../../faults/shown.ts";
import { onBrowser } from "../../faults/use-cases.ts";

const VALUES = ["keepOpen", "lifetime", "label", "tags"];
/** Maximum lifetime in the plan of the account `limited`. */
const PLAN_MS = 3_600_000;

const isNumber = (value: unknown): value is number => typeof value === "number" && value >= 0;
const has = (body: Shown, ...names: readonly string[]): boolean => names.some((name) => (body[name] ?? null) !== null);
const withoutValues = (body: Shown): Shown =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !VALUES.includes(name)));

/** Faults in changes to an open browser. */
export const UPDATE_MUTANTS: readonly Mutant[] = [
  mutant("update-forgotten", ["RBS-UPDATE-01"], "Update returns the new values but doesn't store them", () =>
    onOperation("updateBrowser", async ({ request, body, next }) => {
      if (!has(body, "label", "tags", "keepOpen") || has(body, "lifetime")) return next(request);
      const response = await next(asking(request, "getBrowserInfo", withoutValues(body)));
      if (response.status !== 200) return next(request);
      const { label, tags, keepOpen, ...shown } = await read(response);
      const values = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
      return Response.json({ ...shown, label, tags, keepOpen, ...values }, { headers: response.headers });
    }),
  ),
  mutant("update-answers-old", ["RBS-UPDATE-01"], "Update returns the previous values", () =>
    onOperation("updateBrowser", async ({ request, body, next }) => {
      const before = await next(asking(request, "getBrowserInfo", withoutValues(body)));
      const response = await next(request);
      return response.status === 200 ? before : response;
    }),
  ),
  mutant("update-label-only", ["RBS-UPDATE-01"], "If Update receives a new label, it ignores the tags", () =>
    onRequest("updateBrowser", ({ tags, ...body }) => (has(body, "label") ? body : { tags, ...body })),
  ),
  mutant("update-tags-added", ["RBS-UPDATE-01", "RBS-UPDATE-02"], "Update adds the new tags to the existing tags", () =>
    withLocalBrowsers((find) =>
      onRequest("updateBrowser", (body) =>
        Array.isArray(body["tags"]) ? { ...body, tags: [...(find(body)?.tags ?? []), ...body["tags"]] } : body,
      ),
    ),
  ),
  mutant("update-all", ["RBS-UPDATE-01"], "Update changes the label of all browsers with the same tags", () =>
    withLocalBrowsers((find, localBrowsers) =>
      onOperation("updateBrowser", async ({ request, body, next }) => {
        const tags = JSON.stringify(find(body)?.tags ?? []);
        const { label } = body;
        const others = [...localBrowsers().all()].filter((each) => tags !== "[]" && JSON.stringify(each.tags) === tags);
        const response = await next(request);
        if (response.status !== 200 || typeof label !== "string") return response;
        for (const each of others) each.change({ label, tags: each.tags, expiry: each.expiry });
        return response;
      }),
    ),
  ),
  mutant("update-relative", ["RBS-UPDATE-01", "RBS-UPDATE-02"], "Update adds keepOpen to the current period", () =>
    withLocalBrowsers((find) =>
      onRequest("updateBrowser", (body) =>
        isNumber(body["keepOpen"]) && body["keepOpen"] > 0
          ? { ...body, keepOpen: body["keepOpen"] + (find(body)?.expiry.keepOpenMs ?? 0) / 1000 }
          : body,
      ),
    ),
  ),
  mutant("update-nothing-allowed", ["RBS-UPDATE-03"], "An Update request without new values returns 200", () =>
    onOperation("updateBrowser", ({ request, body, next }) =>
      next(has(body, ...VALUES) ? request : asking(request, "getBrowserInfo", body)),
    ),
  ),
  mutant("update-nulls-allowed", ["RBS-UPDATE-03"], "An Update request with only null values returns 200", () =>
    onOperation("updateBrowser", ({ request, body, next }) =>
      next(
        VALUES.some((name) => body[name] === null) && !has(body, ...VALUES)
          ? asking(request, "getBrowserInfo", withoutValues(body))
          : request,
      ),
    ),
  ),
  mutant("update-null-clears", ["RBS-UPDATE-04"], "In Update, null tags remove the tags", () =>
    onRequest("updateBrowser", (body) =>
      has(body, ...VALUES) && body["tags"] === null ? { ...body, tags: [] } : body,
    ),
  ),
  mutant("update-omitted-clears", ["RBS-UPDATE-04"], "Update without tags removes the tags", () =>
    onRequest("updateBrowser", (body) => (has(body, ...VALUES) ? { tags: [], ...body } : body)),
  ),
  mutant("update-lifetime-reset", ["RBS-UPDATE-04"], "Update without a lifetime sets the maximum lifetime", () =>
    onRequest("updateBrowser", (body) => (has(body, ...VALUES) ? { ...body, lifetime: body["lifetime"] ?? 0 } : body)),
  ),
  mutant("update-partly", ["RBS-UPDATE-05"], "A rejected Update changes the label", () =>
    onOperation("updateBrowser", async ({ request, body, next }) => {
      const response = await next(request);
      const { label } = body;
      if (response.status !== 400 || typeof label !== "string") return response;
      await next(withBody(request, JSON.stringify({ ...withoutValues(body), label })));
      return response;
    }),
  ),
  mutant("update-negative", ["RBS-UPDATE-05"], "In Update, a negative lifetime is treated as the maximum", () =>
    onMember("updateBrowser", "lifetime", (value) => (typeof value === "number" ? Math.max(0, value) : value)),
  ),
  mutant("update-tags-cut", ["RBS-UPDATE-05"], "Update drops excess tags", () =>
    onMember("updateBrowser", "tags", (value) => (Array.isArray(value) ? value.slice(0, 20) : value)),
  ),
  mutant("update-restarts-period", ["RBS-UPDATE-06"], "Update restarts the inactivity period", () =>
    withLocalBrowsers((find) =>
      onOperation("updateBrowser", ({ request, body, next }) => {
        find(body)?.join({ end: () => {} })();
        return next(request);
      }),
    ),
  ),
  mutant("update-old-period", ["RBS-UPDATE-07"], "After Update, the previous KeepOpen still closes the browser", () =>
    onBrowser((browser) => ({
      change(values) {
        const { due } = browser;
        const leftMs = due === undefined ? Infinity : due.at.getTime() - Date.now();
        if (leftMs < 30_000) setTimeout(() => void browser.close("inactive"), leftMs).unref();
        browser.change(values);
      },
    })),
  ),
  mutant("update-ignores-clients", ["RBS-UPDATE-07"], "A shorter keepOpen closes browsers with connected clients", () =>
    onBrowser((browser) => ({
      change(values) {
        const { keepOpenMs = Infinity } = values.expiry;
        if (keepOpenMs < 30_000) setTimeout(() => void browser.close("inactive"), keepOpenMs).unref();
        browser.change(values);
      },
    })),
  ),
  mutant("update-lifetime-from-now", ["RBS-UPDATE-08"], "The lifetime counts from Update, not from Open", () =>
    withLocalBrowsers((find) =>
      onRequest("updateBrowser", (body) => {
        const ageMs = Date.now() - (find(body)?.openedAt.getTime() ?? Date.now());
        const { lifetime } = body;
        return isNumber(lifetime) && lifetime > 0 ? { ...body, lifetime: lifetime + ageMs / 1000 } : body;
      }),
    ),
  ),
  mutant("update-lifetime-zero", ["RBS-UPDATE-08"], "In Update, a lifetime of 0 has no effect", () =>
    withLocalBrowsers((find) =>
      onRequest("updateBrowser", (body) =>
        body["lifetime"] === 0 ? { ...body, lifetime: (find(body)?.expiry.lifetimeMs ?? 0) / 1000 } : body,
      ),
    ),
  ),
  mutant("update-too-old", ["RBS-UPDATE-09"], "Update ignores a lifetime that has already passed", () =>
    withLocalBrowsers((find) =>
      onRequest("updateBrowser", (body) => {
        const ageMs = Date.now() - (find(body)?.openedAt.getTime() ?? Date.now());
        const { lifetime } = body;
        return isNumber(lifetime) && lifetime > 0 && lifetime * 1000 < ageMs ? { ...body, lifetime: 0 } : body;
      }),
    ),
  ),
  mutant("update-end-unseen", ["RBS-UPDATE-11"], "Update shows a browser that it has closed as open", () =>
    onResult("updateBrowser", (shown) => ({ ...shown, state: "open", endedOn: null, reason: null })),
  ),
  mutant("update-end-404", ["RBS-UPDATE-11"], "Update returns 404 if it has closed the browser", () =>
    onOperation("updateBrowser", async ({ request, next }) => {
      const response = await next(request);
      const isClosed = response.status === 200 && (await read(response))["state"] === "closed";
      return isClosed ? refusal("BrowserNotFound") : response;
    }),
  ),
  mutant("update-over-plan", ["RBS-UPDATE-10"], "Update can extend a lifetime beyond the plan's maximum", () =>
    onBrowser((browser) => ({
      change({ label, tags, expiry }) {
        const isMost = expiry.lifetimeMs === PLAN_MS;
        browser.change({ label, tags, expiry: isMost ? { ...expiry, lifetimeMs: 2 * PLAN_MS } : expiry });
      },
    })),
  ),
];
