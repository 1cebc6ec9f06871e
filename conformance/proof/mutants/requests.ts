import { type OperationId, operations } from "@remote-browser/contract/operations";
import type { Fault, Mutant } from "../mutant.ts";
import { isFor, onCall, onFailure, onRequest, pathOf, readBody, refusal, withBody } from "./alter.ts";

const KNOWN = /^(html|prompt|responseFormat|address|[A-Z]\w+|label|headless|keepOpen)$/;
const isPost = (request: Request): boolean => request.method === "POST" && pathOf(request).startsWith("/api/");

/** Removes the padding of bodies before the server checks their size. */
function withoutLimit(ids: readonly OperationId[]): Fault {
  return {
    async answer(request, next) {
      if (!ids.some((id) => isFor(request, id))) return next(request);
      const { text, json } = await readBody(request);
      if (typeof json !== "object" || json === null) return next(withBody(request, text.slice(0, 1000)));
      const members = Object.entries(json).filter(([name]) => KNOWN.test(name));
      const cut = members.map(([name, value]) => [name, typeof value === "string" ? value.slice(0, 250) : value]);
      return next(withBody(request, JSON.stringify(Object.fromEntries(cut))));
    },
  };
}

function withLimit(bytes: number, matchesId: (request: Request) => boolean): Fault {
  return onCall((request, body) =>
    matchesId(request) && Buffer.byteLength(body) > bytes && request.headers.has("authorization")
      ? refusal("PayloadTooLarge")
      : undefined,
  );
}

function onMediaType(alter: (type: string | null) => string | null | undefined): Fault {
  return {
    async answer(request, next) {
      if (!isPost(request)) return next(request);
      const { text } = await readBody(request);
      const type = alter(request.headers.get("content-type"));
      if (type === undefined && text !== "") return refusal("UnsupportedMediaType");
      const same = withBody(request, text);
      if (typeof type === "string") same.headers.set("content-type", type);
      return next(same);
    },
  };
}

const BROWSER: readonly OperationId[] = ["openBrowser", "closeBrowser", "startRemoteDesktop", "stopRemoteDesktop"];

/** Size, media type and content of request bodies. */
export const REQUEST_MUTANTS: readonly Mutant[] = [
  {
    id: "size-browser-half",
    title: "The Browser operations accept bodies of up to 32 KiB only",
    killedBy: ["RBS-BODY-02"],
    fault: () => withLimit(32_768, (request) => BROWSER.some((id) => isFor(request, id))),
  },
  {
    id: "size-browser-one-less",
    title: "A body of exactly 64 KiB is refused",
    killedBy: ["RBS-BODY-02"],
    fault: () => withLimit(65_535, (request) => BROWSER.some((id) => isFor(request, id))),
  },
  {
    id: "size-browser-none",
    title: "The Browser operations accept bodies as large as Query",
    killedBy: ["RBS-BODY-01"],
    fault: () => withoutLimit(BROWSER),
  },
  {
    id: "size-query-none",
    title: "Query accepts bodies of any size",
    killedBy: ["RBS-BODY-03"],
    fault: () => withoutLimit(["queryAi"]),
  },
  {
    id: "size-query-small",
    title: "Query accepts bodies of up to 64 KiB only",
    killedBy: ["RBS-BODY-02"],
    fault: () => withLimit(65_536, (request) => isFor(request, "queryAi")),
  },
  {
    id: "media-any",
    title: "A body of any media type is read as JSON",
    killedBy: ["RBS-BODY-04"],
    fault: () => onMediaType(() => "application/json"),
  },
  {
    id: "media-no-parameter",
    title: "A media type with a charset is refused",
    killedBy: ["RBS-BODY-05"],
    fault: () => onMediaType((type) => (type?.includes(";") === true ? undefined : type)),
  },
  {
    id: "media-no-suffix",
    title: "Media types that end in +json are refused",
    killedBy: ["RBS-BODY-05"],
    fault: () => onMediaType((type) => (type?.includes("+json") === true ? undefined : type)),
  },
  {
    id: "media-needed",
    title: "A body without Content-Type is refused",
    killedBy: ["RBS-BODY-05"],
    fault: () => onMediaType((type) => type ?? undefined),
  },
  {
    id: "content-malformed-ignored",
    title: "A body that is not JSON counts as missing",
    killedBy: ["RBS-BODY-06"],
    fault: () => ({
      async answer(request, next) {
        if (!isFor(request, "openBrowser")) return next(request);
        const { text, json } = await readBody(request);
        return next(withBody(request, json === undefined && text.length <= 65_536 ? "" : text));
      },
    }),
  },
  {
    id: "content-array",
    title: "An array counts as empty options",
    killedBy: ["RBS-BODY-07"],
    fault: () => ({
      async answer(request, next) {
        if (!isFor(request, "openBrowser")) return next(request);
        const { text, json } = await readBody(request);
        return next(withBody(request, Array.isArray(json) ? "{}" : text));
      },
    }),
  },
  {
    id: "content-missing-404",
    title: "Close without a body answers 404",
    killedBy: ["RBS-BODY-08"],
    fault: () =>
      onCall((request, body) =>
        isFor(request, "closeBrowser") && body === "" && request.headers.has("authorization")
          ? refusal("BrowserNotFound")
          : undefined,
      ),
  },
  {
    id: "content-unknown-refused",
    title: "Unknown members are refused",
    killedBy: ["RBS-BODY-10"],
    fault: () =>
      onCall((request, body) => {
        if (!isPost(request) || !request.headers.has("authorization")) return undefined;
        try {
          const unknown = Object.keys(JSON.parse(body) as object).find((name) => !isKnown(name));
          return unknown === undefined ? undefined : refusal("BadRequest", `/${unknown}`);
        } catch {
          return undefined;
        }
      }),
  },
  {
    id: "address-empty-404",
    title: "An empty address answers 404",
    killedBy: ["RBS-BODY-09"],
    fault: () => onRequest("closeBrowser", (body) => (body["address"] === "" ? { ...body, address: "nowhere" } : body)),
  },
  {
    id: "address-number",
    title: "A number is accepted as an address",
    killedBy: ["RBS-BODY-09"],
    fault: () =>
      onRequest("closeBrowser", (body) =>
        typeof body["address"] === "number" ? { ...body, address: String(body["address"]) } : body,
      ),
  },
  {
    id: "address-endless",
    title: "The length of an address is unlimited",
    killedBy: ["RBS-BODY-09"],
    fault: () =>
      onRequest("closeBrowser", (body) =>
        typeof body["address"] === "string" ? { ...body, address: body["address"].slice(0, 500) } : body,
      ),
  },
  {
    id: "address-unknown-400",
    title: "An address in an unknown form is a BadRequest",
    killedBy: ["RBS-CLOSE-06"],
    fault: () =>
      onFailure("BrowserNotFound", ({ body }, request) =>
        pathOf(request) === operations.closeBrowser.path.toLowerCase()
          ? {
              status: 400,
              body: { ...body, status: 400, name: "BadRequest", errors: [{ path: "/address", message: "is none" }] },
            }
          : {},
      ),
  },
];

function isKnown(name: string): boolean {
  return OPTIONS.has(name.toLowerCase());
}

const OPTIONS = new Set([
  ...["args", "ignoreddefaultargs", "headless", "stealth", "browser", "keepopen", "proxy", "label"],
  ...["address", "html", "prompt", "responseformat"],
]);
