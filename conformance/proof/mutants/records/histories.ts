import { type Fault, type Mutant, mutant } from "../../mutant.ts";
import { onMember, onRequest, onSuccess, refusal, refuseEmpty, withBody } from "../../faults/alter.ts";
import { type Shown, onOperation, onResult, read } from "../../faults/shown.ts";

type Part = Shown & { browsers: readonly Shown[] };

/** Alters a page of the history. */
function onPart(alter: (part: Part) => object): Fault {
  return onSuccess("getBrowserHistory", (body) => ({ ...body, ...alter(body as Part) }));
}

/** Makes the history list only some browsers. @param isListed Receives a browser and the request's body. */
function onlyWhere(isListed: (browser: Shown, body: Shown) => boolean): Fault {
  return onResult("getBrowserHistory", (part, body) => ({
    ...part,
    browsers: (part["browsers"] as Shown[]).filter((browser) => isListed(browser, body)),
  }));
}

/**
 * Changes requests with a cursor. @param alter Receives the bodies of the request that returned the cursor and of this
 * request. Returns undefined to reject the cursor.
 */
function onFirst(alter: (first: Shown, body: Shown) => Shown | undefined): Fault {
  const firsts = new Map<unknown, Shown>();
  return onOperation("getBrowserHistory", async ({ request, body, next }) => {
    const first = firsts.get(body["cursor"]);
    const altered = first === undefined ? body : alter(first, body);
    if (altered === undefined) return refusal("BadRequest", "/cursor");
    const response = await next(first === undefined ? request : withBody(request, JSON.stringify(altered)));
    const { next: cursor } = await read(response);
    if (typeof cursor === "string") firsts.set(cursor, first ?? body);
    return response;
  });
}

const isEnded = ({ endedOn }: Shown): boolean => endedOn !== null;
const timeOf = (text: unknown): number => Date.parse(String(text));

/** Faults in the list of open and ended browsers. */
export const HISTORY_MUTANTS: readonly Mutant[] = [
  mutant("history-open-only", ["RBS-HISTORY-01", "RBS-HISTORY-02"], "The history only lists open browsers", () =>
    onPart(({ browsers }) => ({ browsers: browsers.filter((browser) => !isEnded(browser)) })),
  ),
  mutant("history-ended-only", ["RBS-HISTORY-01", "RBS-HISTORY-11"], "The history only lists ended browsers", () =>
    onPart(({ browsers }) => ({ browsers: browsers.filter(isEnded) })),
  ),
  mutant("history-without-labels", ["RBS-HISTORY-01"], "The history omits the labels of ended browsers", () =>
    onPart(({ browsers }) => ({
      browsers: browsers.map((browser) => (isEnded(browser) ? { ...browser, label: null } : browser)),
    })),
  ),
  mutant("history-oldest-first", ["RBS-HISTORY-02"], "The history lists the oldest browser first", () =>
    onPart(({ browsers }) => ({ browsers: browsers.toReversed() })),
  ),
  mutant("history-ended-first", ["RBS-HISTORY-02"], "The history lists ended browsers before open ones", () =>
    onPart(({ browsers }) => ({
      browsers: browsers.toSorted((one, other) => Number(isEnded(other)) - Number(isEnded(one))),
    })),
  ),
  mutant("history-ended-by-opening", ["RBS-HISTORY-02"], "The history orders ended browsers by opening time", () =>
    onPart(({ browsers }) => ({
      browsers: browsers.toSorted((one, other) =>
        isEnded(one) && isEnded(other) ? timeOf(other["startedOn"]) - timeOf(one["startedOn"]) : 0,
      ),
    })),
  ),
  mutant("history-offsets", ["RBS-HISTORY-03"], "A history cursor is an offset", () =>
    onOperation("getBrowserHistory", async ({ request, body, next }) => {
      const { cursor, limit, ...filter } = body;
      const from = Number(/^after-(\d+)$/.exec(String(cursor))?.[1] ?? 0);
      if ((from === 0 && cursor !== undefined && cursor !== null) || typeof limit !== "number") return next(request);
      const response = await next(withBody(request, JSON.stringify(filter)));
      if (response.status !== 200) return response;
      const all = await read(response);
      const browsers = all["browsers"] as Shown[];
      const isMore = from + limit < browsers.length;
      const part = { browsers: browsers.slice(from, from + limit), next: isMore ? `after-${from + limit}` : null };
      return Response.json({ ...all, ...part }, { headers: response.headers });
    }),
  ),
  mutant("history-ended-meanwhile", ["RBS-HISTORY-03"], "The history omits browsers that end during paging", () => {
    const asOf = new Map<unknown, number>();
    return onOperation("getBrowserHistory", async ({ request, body, next }) => {
      const began = asOf.get(body["cursor"]) ?? Date.now();
      const response = await next(request);
      if (response.status !== 200) return response;
      const part = await read(response);
      asOf.set(part["next"], began);
      const browsers = (part["browsers"] as Shown[]).filter(
        ({ endedOn }) => endedOn === null || timeOf(endedOn) < began,
      );
      return Response.json({ ...part, browsers }, { headers: response.headers });
    });
  }),
  mutant("history-since-opened", ["RBS-HISTORY-04"], "since only considers opening times", () =>
    onlyWhere(({ startedOn }, { since }) => typeof since !== "string" || timeOf(startedOn) >= timeOf(since)),
  ),
  mutant("history-since-ended", ["RBS-HISTORY-04"], "since omits open browsers", () =>
    onlyWhere((browser, { since }) => typeof since !== "string" || isEnded(browser)),
  ),
  mutant("history-since-ignored", ["RBS-HISTORY-04"], "A valid since is ignored", () =>
    onMember("getBrowserHistory", "since", (value) => (isMoment(value) ? undefined : value)),
  ),
  mutant("history-since-zone", ["RBS-HISTORY-04"], "The UTC offset in since is ignored", () =>
    onMember("getBrowserHistory", "since", (value) =>
      typeof value === "string" ? value.replace(/[+-]\d\d:\d\d$/, "Z") : value,
    ),
  ),
  mutant("history-until-ended", ["RBS-HISTORY-05"], "until considers end times", () =>
    onlyWhere(
      (browser, { until }) =>
        typeof until !== "string" || (isEnded(browser) && timeOf(browser["endedOn"]) < timeOf(until)),
    ),
  ),
  mutant("history-until-inclusive", ["RBS-HISTORY-05"], "until includes browsers opened at that exact time", () =>
    onMember("getBrowserHistory", "until", (value) =>
      isMoment(value) ? new Date(timeOf(value) + 1).toISOString() : value,
    ),
  ),
  mutant("history-date-only", ["RBS-HISTORY-06"], "since may be a date without a time", () =>
    onMember("getBrowserHistory", "since", (value) =>
      /^\d{4}-\d\d-\d\d$/.test(String(value)) ? `${String(value)}T00:00:00Z` : value,
    ),
  ),
  mutant("history-until-lenient", ["RBS-HISTORY-06"], "An until string that isn't a date is ignored", () =>
    onMember("getBrowserHistory", "until", (value) =>
      typeof value === "string" && Number.isNaN(Date.parse(value)) ? undefined : value,
    ),
  ),
  mutant("history-label-ignored", ["RBS-HISTORY-07"], "The history ignores the label filter", () =>
    onMember("getBrowserHistory", "label", (value) =>
      typeof value === "string" && value.length <= 256 ? undefined : value,
    ),
  ),
  mutant("history-label-of-open", ["RBS-HISTORY-07"], "The label filter only matches open browsers", () =>
    onlyWhere((browser, { label }) => typeof label !== "string" || !isEnded(browser)),
  ),
  mutant("history-tag-first", ["RBS-HISTORY-08"], "The tag filter only considers a browser's first tag", () =>
    onlyWhere(({ tags }, { tag }) => typeof tag !== "string" || (tags as readonly string[])[0] === tag),
  ),
  mutant("history-tag-or-label", ["RBS-HISTORY-08"], "If a request has a tag and a label, the label is ignored", () =>
    onRequest("getBrowserHistory", ({ label, ...body }) =>
      typeof body["tag"] === "string" && label !== null ? body : { label, ...body },
    ),
  ),
  mutant("history-limit-capped", ["RBS-HISTORY-09"], "A limit above 100 is treated as 100", () =>
    onMember("getBrowserHistory", "limit", (value) => (typeof value === "number" ? Math.min(100, value) : value)),
  ),
  mutant("history-limit-ignored", ["RBS-HISTORY-09"], "A valid limit is ignored", () =>
    onMember("getBrowserHistory", "limit", (value) =>
      Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 100 ? undefined : value,
    ),
  ),
  mutant("history-next-always", ["RBS-HISTORY-09"], "A full page always has a next cursor", () =>
    onResult("getBrowserHistory", (part, { limit }) => {
      const isFull = (part["browsers"] as unknown[]).length === limit;
      return { ...part, next: part["next"] ?? (isFull ? `${Date.now()}.ended.0.none` : null) };
    }),
  ),
  mutant("history-cursor-lenient", ["RBS-HISTORY-10"], "An invalid cursor returns the history from the start", () =>
    onMember("getBrowserHistory", "cursor", (value) =>
      typeof value === "string" && value !== "" && !/^\d+\./.test(value) ? undefined : value,
    ),
  ),
  mutant("history-cursor-limit", ["RBS-HISTORY-14"], "A cursor with another limit is rejected", () =>
    onFirst((first, body) => (first["limit"] === body["limit"] ? body : undefined)),
  ),
  mutant("history-cursor-filters", ["RBS-HISTORY-15"], "A cursor's own filters override those in the request", () =>
    onFirst(({ since, until, label, tag }, body) => ({ ...body, since, until, label, tag })),
  ),
  mutant("history-body-needed", ["RBS-HISTORY-11"], "The history request requires a body", () =>
    refuseEmpty("getBrowserHistory", "BadRequest", ""),
  ),
  mutant("history-null-refused", ["RBS-HISTORY-11"], "The history's request members can't be null", () =>
    onOperation("getBrowserHistory", async ({ request, body, next }) => {
      const response = await next(request);
      const [wrong] = Object.entries(body).find(([, value]) => value === null) ?? [];
      return wrong === undefined || response.status !== 200 ? response : refusal("BadRequest", `/${wrong}`);
    }),
  ),
  mutant("history-kept-since-now", ["RBS-HISTORY-12"], "keptSince is the current time", () =>
    onPart(() => ({ keptSince: new Date().toISOString() })),
  ),
  mutant("history-status", ["RBS-HISTORY-13"], "The history response has a status member", () =>
    onPart(() => ({ status: 200 })),
  ),
];

/** Whether the contract accepts the value as a date and time. */
function isMoment(text: unknown): boolean {
  return (
    typeof text === "string" && /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text))
  );
}
