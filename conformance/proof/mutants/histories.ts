import type { Fault, Mutant } from "../mutant.ts";
import { isFor, onAnswer, onCall, onRequest, refusal, withBody } from "./alter.ts";
import { onOperation, read, type Shown } from "./shown.ts";

/** A fault in a part of the history. */
function onPart(alter: (part: Shown & { browsers: readonly Shown[] }) => object): Fault {
  return onAnswer("getBrowserHistory", ({ status, body }) =>
    status === 200 ? { body: { ...body, ...alter(body as Shown & { browsers: readonly Shown[] }) } } : {},
  );
}

/** Lists only some browsers. @param isListed Receives a browser, and the request's body. */
function onlyWhere(isListed: (browser: Shown, body: Shown) => boolean): Fault {
  return onOperation("getBrowserHistory", async ({ request, body, next }) => {
    const response = await next(request);
    if (response.status !== 200) return response;
    const part = await read(response);
    const browsers = (part["browsers"] as Shown[]).filter((browser) => isListed(browser, body));
    return Response.json({ ...part, browsers }, { headers: response.headers });
  });
}

const isEnded = ({ endedOn }: Shown): boolean => endedOn !== null;
const timeOf = (text: unknown): number => Date.parse(String(text));

/** The list of open and ended browsers. */
export const HISTORY_MUTANTS: readonly Mutant[] = [
  {
    id: "history-open-only",
    title: "The history only lists open browsers",
    killedBy: ["RBS-HISTORY-01", "RBS-HISTORY-02"],
    fault: () => onPart(({ browsers }) => ({ browsers: browsers.filter((browser) => !isEnded(browser)) })),
  },
  {
    id: "history-ended-only",
    title: "The history only lists ended browsers",
    killedBy: ["RBS-HISTORY-01", "RBS-HISTORY-11"],
    fault: () => onPart(({ browsers }) => ({ browsers: browsers.filter(isEnded) })),
  },
  {
    id: "history-without-labels",
    title: "The history shows no labels of ended browsers",
    killedBy: ["RBS-HISTORY-01"],
    fault: () =>
      onPart(({ browsers }) => ({
        browsers: browsers.map((browser) => (isEnded(browser) ? { ...browser, label: null } : browser)),
      })),
  },
  {
    id: "history-oldest-first",
    title: "The history lists the oldest browser first",
    killedBy: ["RBS-HISTORY-02"],
    fault: () => onPart(({ browsers }) => ({ browsers: browsers.toReversed() })),
  },
  {
    id: "history-ended-first",
    title: "The history lists ended browsers before open ones",
    killedBy: ["RBS-HISTORY-02"],
    fault: () =>
      onPart(({ browsers }) => ({
        browsers: browsers.toSorted((one, other) => Number(isEnded(other)) - Number(isEnded(one))),
      })),
  },
  {
    id: "history-ended-by-opening",
    title: "The history orders ended browsers by their opening",
    killedBy: ["RBS-HISTORY-02"],
    fault: () =>
      onPart(({ browsers }) => ({
        browsers: browsers.toSorted((one, other) =>
          isEnded(one) && isEnded(other) ? timeOf(other["startedOn"]) - timeOf(one["startedOn"]) : 0,
        ),
      })),
  },
  {
    id: "history-offsets",
    title: "A cursor of the history is a number of browsers to leave out",
    killedBy: ["RBS-HISTORY-03"],
    fault: () =>
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
  },
  {
    id: "history-ended-meanwhile",
    title: "The history leaves out browsers that end while it is read",
    killedBy: ["RBS-HISTORY-03"],
    fault: () => {
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
    },
  },
  {
    id: "history-since-opened",
    title: "since only considers when browsers were opened",
    killedBy: ["RBS-HISTORY-04"],
    fault: () =>
      onlyWhere(({ startedOn }, { since }) => typeof since !== "string" || timeOf(startedOn) >= timeOf(since)),
  },
  {
    id: "history-since-ended",
    title: "since only considers browsers that have ended",
    killedBy: ["RBS-HISTORY-04"],
    fault: () => onlyWhere((browser, { since }) => typeof since !== "string" || isEnded(browser)),
  },
  {
    id: "history-since-ignored",
    title: "since is ignored if it is valid",
    killedBy: ["RBS-HISTORY-04"],
    fault: () => onRequest("getBrowserHistory", ({ since, ...body }) => (isMoment(since) ? body : { since, ...body })),
  },
  {
    id: "history-since-zone",
    title: "The time zone of since is ignored",
    killedBy: ["RBS-HISTORY-04"],
    fault: () =>
      onRequest("getBrowserHistory", (body) =>
        typeof body["since"] === "string" ? { ...body, since: body["since"].replace(/[+-]\d\d:\d\d$/, "Z") } : body,
      ),
  },
  {
    id: "history-until-ended",
    title: "until considers when browsers ended",
    killedBy: ["RBS-HISTORY-05"],
    fault: () =>
      onlyWhere(
        (browser, { until }) =>
          typeof until !== "string" || (isEnded(browser) && timeOf(browser["endedOn"]) < timeOf(until)),
      ),
  },
  {
    id: "history-until-inclusive",
    title: "until includes browsers that were opened at this moment",
    killedBy: ["RBS-HISTORY-05"],
    fault: () =>
      onRequest("getBrowserHistory", (body) =>
        isMoment(body["until"]) ? { ...body, until: new Date(timeOf(body["until"]) + 1).toISOString() } : body,
      ),
  },
  {
    id: "history-date-only",
    title: "since may be a date without a time",
    killedBy: ["RBS-HISTORY-06"],
    fault: () =>
      onRequest("getBrowserHistory", (body) =>
        /^\d{4}-\d\d-\d\d$/.test(String(body["since"]))
          ? { ...body, since: `${String(body["since"])}T00:00:00Z` }
          : body,
      ),
  },
  {
    id: "history-until-lenient",
    title: "A text in until that is not a date is ignored",
    killedBy: ["RBS-HISTORY-06"],
    fault: () =>
      onRequest("getBrowserHistory", ({ until, ...body }) =>
        typeof until === "string" && Number.isNaN(Date.parse(until)) ? body : { until, ...body },
      ),
  },
  {
    id: "history-label-ignored",
    title: "The history ignores label",
    killedBy: ["RBS-HISTORY-07"],
    fault: () =>
      onRequest("getBrowserHistory", ({ label, ...body }) =>
        typeof label === "string" && label.length <= 256 ? body : { label, ...body },
      ),
  },
  {
    id: "history-label-of-open",
    title: "label only selects open browsers",
    killedBy: ["RBS-HISTORY-07"],
    fault: () => onlyWhere((browser, { label }) => typeof label !== "string" || !isEnded(browser)),
  },
  {
    id: "history-tag-first",
    title: "tag only considers the first tag of a browser",
    killedBy: ["RBS-HISTORY-08"],
    fault: () => onlyWhere(({ tags }, { tag }) => typeof tag !== "string" || (tags as readonly string[])[0] === tag),
  },
  {
    id: "history-tag-or-label",
    title: "If a request has a tag and a label, the label is ignored",
    killedBy: ["RBS-HISTORY-08"],
    fault: () =>
      onRequest("getBrowserHistory", ({ label, ...body }) =>
        typeof body["tag"] === "string" && label !== null ? body : { label, ...body },
      ),
  },
  {
    id: "history-limit-capped",
    title: "A limit above 100 means 100",
    killedBy: ["RBS-HISTORY-09"],
    fault: () =>
      onRequest("getBrowserHistory", (body) =>
        typeof body["limit"] === "number" ? { ...body, limit: Math.min(100, body["limit"]) } : body,
      ),
  },
  {
    id: "history-limit-ignored",
    title: "limit is ignored if it is valid",
    killedBy: ["RBS-HISTORY-09"],
    fault: () =>
      onRequest("getBrowserHistory", ({ limit, ...body }) =>
        Number.isInteger(limit) && Number(limit) >= 1 && Number(limit) <= 100 ? body : { limit, ...body },
      ),
  },
  {
    id: "history-next-always",
    title: "A part that is full always has next",
    killedBy: ["RBS-HISTORY-09"],
    fault: () =>
      onOperation("getBrowserHistory", async ({ request, body, next }) => {
        const response = await next(request);
        if (response.status !== 200) return response;
        const part = await read(response);
        const isFull = (part["browsers"] as unknown[]).length === body["limit"];
        const last = `${Date.now()}.ended.0.none`;
        return Response.json({ ...part, next: part["next"] ?? (isFull ? last : null) }, { headers: response.headers });
      }),
  },
  {
    id: "history-cursor-lenient",
    title: "A cursor that is not one begins at the beginning",
    killedBy: ["RBS-HISTORY-10"],
    fault: () =>
      onRequest("getBrowserHistory", ({ cursor, ...body }) =>
        typeof cursor === "string" && cursor !== "" && !/^\d+\./.test(cursor) ? body : { cursor, ...body },
      ),
  },
  {
    id: "history-body-needed",
    title: "The history requires a body",
    killedBy: ["RBS-HISTORY-11"],
    fault: () =>
      onCall((request, body) =>
        isFor(request, "getBrowserHistory") && body === "" && request.headers.has("authorization")
          ? refusal("BadRequest", "")
          : undefined,
      ),
  },
  {
    id: "history-null-refused",
    title: "The members of a request for the history can't be null",
    killedBy: ["RBS-HISTORY-11"],
    fault: () =>
      onOperation("getBrowserHistory", async ({ request, body, next }) => {
        const response = await next(request);
        const [wrong] = Object.entries(body).find(([, value]) => value === null) ?? [];
        return wrong === undefined || response.status !== 200 ? response : refusal("BadRequest", `/${wrong}`);
      }),
  },
  {
    id: "history-kept-since-now",
    title: "keptSince is the time of the response",
    killedBy: ["RBS-HISTORY-12"],
    fault: () => onPart(() => ({ keptSince: new Date().toISOString() })),
  },
  {
    id: "history-status",
    title: "The history has a member status",
    killedBy: ["RBS-HISTORY-13"],
    fault: () => onPart(() => ({ status: 200 })),
  },
];

/** Whether it is a date and time as the contract wants it. */
function isMoment(text: unknown): boolean {
  return (
    typeof text === "string" && /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text))
  );
}
