import { type Json, type Mutation, set, setMembers, setOperation } from "./draft.ts";

export const REQUESTS: readonly Mutation[] = [
  [
    "removes an option",
    setMembers("OpenOptions", { Label: undefined }),
    "breaking",
    "request OpenOptions/Label presence",
  ],
  [
    "adds an option",
    setMembers("OpenOptions", { Zoom: { type: ["number", "null"] } }),
    "additive",
    "request OpenOptions/Zoom presence",
  ],
  [
    "adds a required option",
    (d) => {
      (d.schema("QueryRequest")["properties"] as Json)["model"] = { type: "string" };
      (d.schema("QueryRequest")["required"] as string[]).push("model");
    },
    "breaking",
    "request QueryRequest/model presence",
  ],
  [
    "makes an optional member required",
    (d) => (d.schema("QueryRequest")["required"] as string[]).push("responseFormat"),
    "breaking",
    "request QueryRequest/responseFormat required",
  ],
  [
    "makes a member optional",
    set("QueryRequest", { required: ["html"] }),
    "additive",
    "request QueryRequest/prompt required",
  ],
  [
    "removes a second spelling",
    set("OpenOptions.Stealth", { "x-alias": undefined }),
    "breaking",
    "request OpenOptions/Stealth x-alias",
  ],
  ["changes a second spelling", set("Proxy.Host", { "x-alias": "hostname" }), "breaking", "request Proxy/Host x-alias"],
  [
    "adds a second spelling",
    set("QueryRequest.html", { "x-alias": "HTML" }),
    "additive",
    "request QueryRequest/html x-alias",
  ],
  ["accepts fewer values", set("SupportedBrowser", { enum: [0, 2] }), "breaking", "request SupportedBrowser values"],
  [
    "accepts more values",
    (d) => {
      d.schema("SupportedBrowser")["enum"] = [0, 2, 3, 4];
      d.schema("SupportedBrowser")["x-enum-varnames"] = ["Chrome", "Chromium", "ChromeHeadlessShell", "Firefox"];
    },
    "additive",
    "request SupportedBrowser values",
  ],
  [
    "accepts only one value",
    set("OpenOptions.Stealth", { const: true }),
    "breaking",
    "request OpenOptions/Stealth values",
  ],
  [
    "renames a value",
    (d) => ((d.schema("SupportedBrowser")["x-enum-varnames"] as string[])[0] = "GoogleChrome"),
    "breaking",
    "request SupportedBrowser/0 x-enum-varnames",
  ],
  [
    "no longer accepts null",
    set("OpenOptions.Headless", { type: "boolean" }),
    "breaking",
    "request OpenOptions/Headless type",
  ],
  [
    "no longer accepts null in anyOf",
    set("OpenOptions.Browser", { anyOf: [{ $ref: "#/components/schemas/SupportedBrowser" }, { type: "boolean" }] }),
    "breaking",
    "request OpenOptions/Browser schema-name",
  ],
  [
    "no longer accepts null: only the reference remains",
    (d) => {
      const { anyOf: _anyOf, ...rest } = d.member("OpenOptions", "Proxy");
      (d.schema("OpenOptions")["properties"] as Json)["Proxy"] = { $ref: "#/components/schemas/Proxy", ...rest };
    },
    "breaking",
    "request OpenOptions/Proxy type",
  ],
  ["also accepts null", set("Proxy.Port", { type: ["string", "null"] }), "additive", "request Proxy/Port type"],
  [
    "accepts only integers instead of numbers",
    set("OpenOptions.KeepOpen", { type: ["integer", "null"] }),
    "breaking",
    "request OpenOptions/KeepOpen type",
  ],
  [
    "accepts numbers instead of integers",
    set("HistoryRequest.limit", { type: ["number", "null"] }),
    "additive",
    "request HistoryRequest/limit type",
  ],
  [
    "accepts any type",
    set("QueryRequest.responseFormat", { type: undefined }),
    "additive",
    "request QueryRequest/responseFormat type",
  ],
  [
    "accepts only shorter text",
    set("OpenOptions.Label", { maxLength: 100 }),
    "breaking",
    "request OpenOptions/Label maxLength",
  ],
  [
    "accepts longer text",
    set("OpenOptions.Label", { maxLength: 1000 }),
    "additive",
    "request OpenOptions/Label maxLength",
  ],
  [
    "accepts text of any length",
    set("OpenOptions.Label", { maxLength: undefined }),
    "additive",
    "request OpenOptions/Label maxLength",
  ],
  [
    "limits the length of text",
    set("QueryRequest.prompt", { maxLength: 10_000 }),
    "breaking",
    "request QueryRequest/prompt maxLength",
  ],
  ["refuses empty text", set("OpenOptions.Label", { minLength: 1 }), "breaking", "request OpenOptions/Label minLength"],
  [
    "accepts empty text",
    set("QueryRequest.prompt", { minLength: 0 }),
    "additive",
    "request QueryRequest/prompt minLength",
  ],
  [
    "accepts fewer elements",
    set("OpenOptions.Args", { maxItems: 10 }),
    "breaking",
    "request OpenOptions/Args maxItems",
  ],
  ["requires an element", set("OpenOptions.Args", { minItems: 1 }), "breaking", "request OpenOptions/Args minItems"],
  [
    "accepts only shorter elements",
    (d) => (d.at("components", "schemas", "OpenOptions", "properties", "Args", "items")["maxLength"] = 40),
    "breaking",
    "request OpenOptions/Args/[] maxLength",
  ],
  [
    "refuses small numbers",
    set("OpenOptions.KeepOpen", { minimum: 1 }),
    "breaking",
    "request OpenOptions/KeepOpen minimum",
  ],
  [
    "refuses large numbers",
    set("OpenOptions.KeepOpen", { maximum: 3600 }),
    "breaking",
    "request OpenOptions/KeepOpen maximum",
  ],
  [
    "requires a pattern",
    set("OpenOptions.Label", { pattern: "^[a-z]*$" }),
    "breaking",
    "request OpenOptions/Label pattern",
  ],
  ["requires another pattern", set("Proxy.Port", { pattern: "^[0-9]+$" }), "breaking", "request Proxy/Port pattern"],
  ["no longer requires a pattern", set("Proxy.Port", { pattern: undefined }), "additive", "request Proxy/Port pattern"],
  [
    "changes a format",
    set("OpenOptions.KeepOpen", { format: "float" }),
    "breaking",
    "request OpenOptions/KeepOpen format",
  ],
  [
    "adds a keyword that the check doesn't know",
    set("Proxy", { dependentRequired: { Password: ["Username"] } }),
    "breaking",
    "request Proxy dependentRequired",
  ],
  [
    "accepts only smaller bodies",
    setOperation("ai/Query", { "x-max-body-bytes": 65_536 }),
    "breaking",
    "request queryAi x-max-body-bytes",
  ],
  [
    "accepts larger bodies",
    setOperation("ai/Query", { "x-max-body-bytes": 8_388_608 }),
    "additive",
    "request queryAi x-max-body-bytes",
  ],
  [
    "requires a body",
    (d) => ((d.operation("Browser/Open")["requestBody"] as Json)["required"] = true),
    "breaking",
    "request openBrowser/body required",
  ],
  [
    "makes a body optional",
    (d) => (d.at("components", "requestBodies", "BrowserReference")["required"] = false),
    "additive",
    "request requestBodies/BrowserReference required",
  ],
  [
    "no longer accepts a body",
    setOperation("ai/Query", { requestBody: undefined }),
    "breaking",
    "request queryAi/body presence",
  ],
  [
    "accepts a body",
    setOperation("Browser/Get", { requestBody: { content: {} } }),
    "additive",
    "request getBrowsers/body presence",
  ],
  [
    "accepts an additional media type",
    (d) => {
      const content = (d.operation("ai/Query")["requestBody"] as Json)["content"] as Json;
      content["text/html"] = {};
    },
    "additive",
    "request queryAi/body/text/html media-type",
  ],
  [
    "requires a parameter",
    setOperation("Browser/Get", {
      parameters: [{ name: "page", in: "query", required: true, schema: { type: "integer" } }],
    }),
    "breaking",
    "request getBrowsers/query page presence",
  ],
  [
    "accepts a parameter",
    setOperation("Browser/Get", { parameters: [{ name: "page", in: "query", schema: { type: "integer" } }] }),
    "additive",
    "request getBrowsers/query page presence",
  ],
];
