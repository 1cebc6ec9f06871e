import { type Mutation, setOperation } from "./draft.ts";

export const OPERATIONS: readonly Mutation[] = [
  [
    "removes an operation",
    (d) => delete d.at("paths")["/api/v1/Browser/Get"],
    "breaking",
    "request getBrowsers presence",
  ],
  [
    "adds an operation",
    (d) =>
      (d.at("paths")["/api/v1/Browser/Pause"] = {
        post: { operationId: "pauseBrowser", tags: ["Browser"], responses: {} },
      }),
    "additive",
    "request pauseBrowser presence",
  ],
  [
    "moves an operation to another path",
    (d) => {
      d.at("paths")["/api/v1/Browser/List"] = d.at("paths")["/api/v1/Browser/Get"];
      delete d.at("paths")["/api/v1/Browser/Get"];
    },
    "breaking",
    "request getBrowsers address",
  ],
  [
    "moves an operation to another method",
    (d) => {
      d.at("paths")["/api/v1/Browser/Get"] = { post: d.operation("Browser/Get") };
    },
    "breaking",
    "request getBrowsers address",
  ],
  [
    "removes a preview",
    (d) => delete d.at("paths")["/api/v1/Browser/ScreenshotImage"],
    "additive",
    "request takeScreenshotImage presence",
  ],
  [
    "changes a preview",
    setOperation("Browser/ScreenshotImage", { operationId: "takePicture" }),
    "additive",
    "request takeScreenshotImage operationId",
  ],
  [
    "makes a preview stable",
    setOperation("Browser/ScreenshotImage", { "x-stability": undefined }),
    "additive",
    "request takeScreenshotImage x-stability",
  ],
  [
    "makes a stable operation a preview",
    setOperation("ai/Query", { "x-stability": "preview" }),
    "breaking",
    "request queryAi x-stability",
  ],
  ["renames an operation", setOperation("ai/Query", { operationId: "ask" }), "breaking", "request queryAi operationId"],
  ["renames a tag", setOperation("ai/Query", { tags: ["LanguageModel"] }), "breaking", "request queryAi tags"],
  [
    "requires another credential",
    setOperation("ai/Query", { security: [{ other: [] }] }),
    "breaking",
    "request queryAi security",
  ],
  [
    "requires two credentials",
    setOperation("ai/Query", { security: [{ bearerAuth: [], other: [] }] }),
    "breaking",
    "request queryAi security",
  ],
  [
    "accepts an additional authentication method",
    setOperation("ai/Query", { security: [{ bearerAuth: [] }, { other: [] }] }),
    "additive",
    "request queryAi security",
  ],
  ["requires no credential", setOperation("ai/Query", { security: [] }), "additive", "request queryAi security"],
  [
    "changes the scheme",
    (d) => (d.at("components", "securitySchemes", "bearerAuth")["scheme"] = "basic"),
    "breaking",
    "request securitySchemes/bearerAuth scheme",
  ],
  [
    "names another server",
    (d) => (d.at("servers", 0)["url"] = "http://127.0.0.1:9090"),
    "breaking",
    "answer contract servers",
  ],
  [
    "marks an operation as deprecated",
    setOperation("ai/Query", { deprecated: true }),
    "additive",
    "request queryAi deprecated",
  ],
  [
    "adds an unknown keyword to an operation",
    setOperation("ai/Query", { "x-cost": 3 }),
    "breaking",
    "request queryAi x-cost",
  ],
  [
    "adds an unknown keyword to a path",
    (d) => (d.at("paths", "/api/v1/ai/Query")["servers"] = []),
    "breaking",
    "request /api/v1/ai/Query servers",
  ],
  [
    "adds an unknown keyword at the top level",
    (d) => (d.contract["webhooks"] = {}),
    "breaking",
    "answer contract webhooks",
  ],
];
