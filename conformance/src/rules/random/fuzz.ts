import { INFO, GET, response, schema } from "../../registry/pointers.ts";
import type { FuzzRule } from "../../registry/rule.ts";

const BODIES = [
  ...["Headless", "Stealth", "Browser", "KeepOpen", "Label"].map((name) => `OpenOptions.${name}`),
  "BrowserReference.address",
  ...["html", "prompt", "responseFormat"].map((name) => `QueryRequest.${name}`),
];

const CHECKS: readonly (Omit<FuzzRule, "kind" | "level" | "capability"> & Partial<Pick<FuzzRule, "level">>)[] = [
  {
    id: "RBS-FUZZ-01",
    at: INFO,
    sentence: "and the content of a request never causes `Unknown`",
    fuzzCheck: "not_a_server_error",
  },
  {
    id: "RBS-FUZZ-02",
    at: INFO,
    sentence: "every successful response has the HTTP status 200",
    fuzzCheck: "status_code_conformance",
  },
  {
    id: "RBS-FUZZ-03",
    at: INFO,
    sentence: "Every response has a JSON object as its body",
    fuzzCheck: "content_type_conformance",
  },
  {
    id: "RBS-FUZZ-04",
    at: INFO,
    sentence: "Every response also has the `X-Request-Id` header",
    fuzzCheck: "response_headers_conformance",
  },
  {
    id: "RBS-FUZZ-05",
    at: INFO,
    sentence: "A refused request has an error body with the members `status`, `name`, `message` and `requestId`.",
    covers: ["openBrowser 200", "closeBrowser 200", "getBrowsers 200"],
    fuzzCheck: "response_schema_conformance",
  },
  {
    id: "RBS-FUZZ-06",
    at: schema("BadRequestError"),
    sentence: "The request does not match the contract.",
    covers: [
      ...["openBrowser", "closeBrowser", "startRemoteDesktop", "stopRemoteDesktop", "queryAi"].map((id) => `${id} 400`),
      ...BODIES,
    ],
    fuzzCheck: "negative_data_rejection",
  },
  {
    id: "RBS-FUZZ-07",
    at: schema("OpenOptions"),
    sentence: "Every option may be omitted or `null`, which means the same.",
    covers: ["openBrowser 200", ...BODIES],
    fuzzCheck: "positive_data_acceptance",
  },
  {
    id: "RBS-FUZZ-08",
    at: response("MethodNotAllowed"),
    sentence: "The path exists, but does not support this method.",
    fuzzCheck: "unsupported_method",
  },
  {
    id: "RBS-FUZZ-09",
    level: "required",
    at: "#/components/securitySchemes/bearerAuth/description",
    sentence: "Every operation needs it, including Query.",
    covers: ["openBrowser 401", "closeBrowser 401", "getBrowsers 401"],
    fuzzCheck: "ignored_auth",
  },
  {
    id: "RBS-FUZZ-10",
    at: `${GET}/description`,
    sentence:
      "A browser appears as soon as its Open request has been answered and disappears when it closes, for whatever reason.",
    covers: ["closeBrowser 200", "closeBrowser 404", "getBrowsers 200"],
    fuzzCheck: "what_open_opened",
  },
];

/** Checks of the contract's schemas and links, with requests that Schemathesis generates. */
export const FUZZ_RULES: readonly FuzzRule[] = CHECKS.map((check) => ({
  ...{ kind: "fuzz", level: "decision", capability: "core", ...check },
}));
