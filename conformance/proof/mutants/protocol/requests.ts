import { type OperationId, operations } from "@remote-browser/contract/operations";
import { parse } from "../../../src/target/json.ts";
import { type Fault, type Mutant, mutant } from "../../mutant.ts";
import {
  failing,
  isFor,
  onCall,
  onFailure,
  onMember,
  pathOf,
  readBody,
  refusal,
  refuseEmpty,
  withBody,
} from "../../faults/alter.ts";

const KNOWN = /^(html|prompt|responseFormat|address|[A-Z]\w+|label|headless|keepOpen)$/;
const isPost = (request: Request): boolean => request.method === "POST" && pathOf(request).startsWith("/api/");

/** Removes the padding from bodies before the server checks their size. */
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

function withLimit(bytes: number, ids: readonly OperationId[]): Fault {
  return onCall((request, body) =>
    ids.some((id) => isFor(request, id)) && Buffer.byteLength(body) > bytes && request.headers.has("authorization")
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

/** Faults in checking the size, media type and content of request bodies. */
export const REQUEST_MUTANTS: readonly Mutant[] = [
  mutant("size-browser-half", ["RBS-BODY-02"], "The Browser operations only accept bodies of up to 32 KiB", () =>
    withLimit(32_768, BROWSER),
  ),
  mutant("size-browser-one-less", ["RBS-BODY-02"], "A body of exactly 64 KiB is rejected", () =>
    withLimit(65_535, BROWSER),
  ),
  mutant("size-browser-none", ["RBS-BODY-01"], "The Browser operations accept bodies as large as Query does", () =>
    withoutLimit(BROWSER),
  ),
  mutant("size-query-none", ["RBS-BODY-03"], "Query accepts bodies of any size", () => withoutLimit(["queryAi"])),
  mutant("size-query-small", ["RBS-BODY-02"], "Query only accepts bodies of up to 64 KiB", () =>
    withLimit(65_536, ["queryAi"]),
  ),
  mutant("media-any", ["RBS-BODY-04"], "A body of any media type is read as JSON", () =>
    onMediaType(() => "application/json"),
  ),
  mutant("media-no-parameter", ["RBS-BODY-05"], "A media type with a charset is rejected", () =>
    onMediaType((type) => (type?.includes(";") === true ? undefined : type)),
  ),
  mutant("media-no-suffix", ["RBS-BODY-05"], "Media types that end in +json are rejected", () =>
    onMediaType((type) => (type?.includes("+json") === true ? undefined : type)),
  ),
  mutant("media-needed", ["RBS-BODY-05"], "A body without Content-Type is rejected", () =>
    onMediaType((type) => type ?? undefined),
  ),
  mutant("media-of-nothing", ["RBS-BODY-13"], "A media type other than JSON is rejected even without a body", () =>
    onCall((request, body) => {
      const isJson = request.headers.get("content-type")?.includes("json") ?? true;
      return isPost(request) && body === "" && !isJson ? refusal("UnsupportedMediaType") : undefined;
    }),
  ),
  mutant("content-malformed-ignored", ["RBS-BODY-06"], "A body that isn't JSON is treated as missing", () => ({
    async answer(request, next) {
      if (!isFor(request, "openBrowser")) return next(request);
      const { text, json } = await readBody(request);
      return next(withBody(request, json === undefined && text.length <= 65_536 ? "" : text));
    },
  })),
  mutant("content-array", ["RBS-BODY-07"], "An array is treated as empty options", () => ({
    async answer(request, next) {
      if (!isFor(request, "openBrowser")) return next(request);
      const { text, json } = await readBody(request);
      return next(withBody(request, Array.isArray(json) ? "{}" : text));
    },
  })),
  mutant("content-missing-404", ["RBS-BODY-08"], "Close without a body returns 404", () =>
    refuseEmpty("closeBrowser", "BrowserNotFound"),
  ),
  mutant("content-unknown-refused", ["RBS-BODY-10"], "Unknown members are rejected", () =>
    onCall((request, body) => {
      if (!isPost(request) || !request.headers.has("authorization")) return undefined;
      const unknown = Object.keys(parse(body) ?? {}).find((name) => !OPTIONS.has(name.toLowerCase()));
      return unknown === undefined ? undefined : refusal("BadRequest", `/${unknown}`);
    }),
  ),
  mutant("address-empty-404", ["RBS-BODY-09"], "Close returns 404 for an empty address", () =>
    onMember("closeBrowser", "address", (value) => (value === "" ? "nowhere" : value)),
  ),
  mutant("address-number", ["RBS-BODY-09"], "A number is accepted as an address", () =>
    onMember("closeBrowser", "address", (value) => (typeof value === "number" ? String(value) : value)),
  ),
  mutant("address-endless", ["RBS-BODY-09"], "Addresses have no length limit", () =>
    onMember("closeBrowser", "address", (value) => (typeof value === "string" ? value.slice(0, 500) : value)),
  ),
  mutant("address-unknown-400", ["RBS-CLOSE-06"], "An address in an unknown format returns BadRequest", () =>
    onFailure("BrowserNotFound", ({ body }, request) =>
      pathOf(request) === operations.closeBrowser.path.toLowerCase()
        ? failing("BadRequest", body, [{ path: "/address", message: "is none" }])
        : {},
    ),
  ),
];

const OPTIONS = new Set([
  ...["args", "ignoreddefaultargs", "headless", "stealth", "browser", "keepopen", "proxy", "label"],
  ...["address", "html", "prompt", "responseformat"],
]);
