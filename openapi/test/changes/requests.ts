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
    "adds an option that has to be sent",
    (d) => {
      (d.schema("QueryRequest")["properties"] as Json)["model"] = { type: "string" };
      (d.schema("QueryRequest")["required"] as string[]).push("model");
    },
    "breaking",
    "request QueryRequest/model presence",
  ],
  [
    "asks for a member that was optional",
    (d) => (d.schema("QueryRequest")["required"] as string[]).push("responseFormat"),
    "breaking",
    "request QueryRequest/responseFormat required",
  ],
  [
    "lets a member be left out",
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
  ["takes fewer values", set("SupportedBrowser", { enum: [0, 2] }), "breaking", "request SupportedBrowser values"],
  [
    "takes more values",
    (d) => {
      d.schema("SupportedBrowser")["enum"] = [0, 2, 3, 4];
      d.schema("SupportedBrowser")["x-enum-varnames"] = ["Chrome", "Chromium", "ChromeHeadlessShell", "Firefox"];
    },
    "additive",
    "request SupportedBrowser values",
  ],
  [
    "takes one value only",
    set("OpenOptions.Stealth", { const: true }),
    "breaking",
    "request OpenOptions/Stealth values",
  ],
  [
    "names a value otherwise",
    (d) => ((d.schema("SupportedBrowser")["x-enum-varnames"] as string[])[0] = "GoogleChrome"),
    "breaking",
    "request SupportedBrowser/0 x-enum-varnames",
  ],
  [
    "takes null no more",
    set("OpenOptions.Headless", { type: "boolean" }),
    "breaking",
    "request OpenOptions/Headless type",
  ],
  [
    "takes null no more where anyOf said so",
    set("OpenOptions.Browser", { anyOf: [{ $ref: "#/components/schemas/SupportedBrowser" }, { type: "boolean" }] }),
    "breaking",
    "request OpenOptions/Browser schema-name",
  ],
  [
    "takes null no more, by a reference alone",
    (d) => {
      const { anyOf: _anyOf, ...rest } = d.member("OpenOptions", "Proxy");
      (d.schema("OpenOptions")["properties"] as Json)["Proxy"] = { $ref: "#/components/schemas/Proxy", ...rest };
    },
    "breaking",
    "request OpenOptions/Proxy type",
  ],
  ["takes null as well", set("Proxy.Port", { type: ["string", "null"] }), "additive", "request Proxy/Port type"],
  [
    "takes integers where it took numbers",
    set("OpenOptions.KeepOpen", { type: ["integer", "null"] }),
    "breaking",
    "request OpenOptions/KeepOpen type",
  ],
  [
    "takes numbers where it took integers",
    set("SupportedBrowser", { type: "number" }),
    "additive",
    "request SupportedBrowser type",
  ],
  [
    "takes any type",
    set("QueryRequest.responseFormat", { type: undefined }),
    "additive",
    "request QueryRequest/responseFormat type",
  ],
  [
    "takes shorter text only",
    set("OpenOptions.Label", { maxLength: 100 }),
    "breaking",
    "request OpenOptions/Label maxLength",
  ],
  [
    "takes longer text",
    set("OpenOptions.Label", { maxLength: 1000 }),
    "additive",
    "request OpenOptions/Label maxLength",
  ],
  [
    "takes text of any length",
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
  [
    "refuses text that is empty",
    set("OpenOptions.Label", { minLength: 1 }),
    "breaking",
    "request OpenOptions/Label minLength",
  ],
  [
    "takes text that is empty",
    set("QueryRequest.prompt", { minLength: 0 }),
    "additive",
    "request QueryRequest/prompt minLength",
  ],
  ["takes fewer elements", set("OpenOptions.Args", { maxItems: 10 }), "breaking", "request OpenOptions/Args maxItems"],
  ["asks for an element", set("OpenOptions.Args", { minItems: 1 }), "breaking", "request OpenOptions/Args minItems"],
  [
    "takes shorter elements only",
    (d) => (d.at("components", "schemas", "OpenOptions", "properties", "Args", "items")["maxLength"] = 40),
    "breaking",
    "request OpenOptions/Args/[] maxLength",
  ],
  [
    "takes no small numbers",
    set("OpenOptions.KeepOpen", { minimum: 1 }),
    "breaking",
    "request OpenOptions/KeepOpen minimum",
  ],
  [
    "takes no large numbers",
    set("OpenOptions.KeepOpen", { maximum: 3600 }),
    "breaking",
    "request OpenOptions/KeepOpen maximum",
  ],
  [
    "asks for a pattern",
    set("OpenOptions.Label", { pattern: "^[a-z]*$" }),
    "breaking",
    "request OpenOptions/Label pattern",
  ],
  ["asks for another pattern", set("Proxy.Port", { pattern: "^[0-9]+$" }), "breaking", "request Proxy/Port pattern"],
  ["asks for no pattern", set("Proxy.Port", { pattern: undefined }), "additive", "request Proxy/Port pattern"],
  [
    "changes a format",
    set("OpenOptions.KeepOpen", { format: "float" }),
    "breaking",
    "request OpenOptions/KeepOpen format",
  ],
  [
    "uses a keyword that the check does not know",
    set("Proxy", { dependentRequired: { Password: ["Username"] } }),
    "breaking",
    "request Proxy dependentRequired",
  ],
  [
    "takes smaller bodies only",
    setOperation("ai/Query", { "x-max-body-bytes": 65_536 }),
    "breaking",
    "request queryAi x-max-body-bytes",
  ],
  [
    "takes larger bodies",
    setOperation("ai/Query", { "x-max-body-bytes": 8_388_608 }),
    "additive",
    "request queryAi x-max-body-bytes",
  ],
  [
    "asks for a body",
    (d) => ((d.operation("Browser/Open")["requestBody"] as Json)["required"] = true),
    "breaking",
    "request openBrowser/body required",
  ],
  [
    "lets a body be left out",
    (d) => (d.at("components", "requestBodies", "BrowserReference")["required"] = false),
    "additive",
    "request requestBodies/BrowserReference required",
  ],
  [
    "takes a body no more",
    setOperation("ai/Query", { requestBody: undefined }),
    "breaking",
    "request queryAi/body presence",
  ],
  [
    "takes a body",
    setOperation("Browser/Get", { requestBody: { content: {} } }),
    "additive",
    "request getBrowsers/body presence",
  ],
  [
    "takes another media type as well",
    (d) => {
      const content = (d.operation("ai/Query")["requestBody"] as Json)["content"] as Json;
      content["text/html"] = {};
    },
    "additive",
    "request queryAi/body/text/html media-type",
  ],
  [
    "asks for a parameter",
    setOperation("Browser/Get", {
      parameters: [{ name: "page", in: "query", required: true, schema: { type: "integer" } }],
    }),
    "breaking",
    "request getBrowsers/query page presence",
  ],
  [
    "takes a parameter",
    setOperation("Browser/Get", { parameters: [{ name: "page", in: "query", schema: { type: "integer" } }] }),
    "additive",
    "request getBrowsers/query page presence",
  ],
];
