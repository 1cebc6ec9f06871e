import { type Json, type Mutation, set, setAnswers, setMembers } from "./draft.ts";

const OTHER_HEADER = { description: "Another header.", required: true, schema: { type: "string" } };

function answerWith(schema: Json): Json {
  return { description: "It happened.", content: { "application/json": { schema } } };
}

export const ANSWERS: readonly Mutation[] = [
  [
    "removes a member",
    setMembers("QueryResult", { value: undefined }),
    "breaking",
    "answer QueryResult/value presence",
  ],
  ["adds a member", setMembers("Session", { kind: { type: "integer" } }), "additive", "answer Session/kind presence"],
  [
    "makes a member optional",
    set("Session", { required: ["startedOn", "label", "address"] }),
    "breaking",
    "answer Session/vncpass required",
  ],
  [
    "promises a member",
    (d) => (d.schema("QueryResult")["required"] as string[]).push("value"),
    "additive",
    "answer QueryResult/value required",
  ],
  [
    "also answers null",
    set("StartRemoteDesktopResult.rfbUrl", { type: ["string", "null"] }),
    "breaking",
    "answer StartRemoteDesktopResult/rfbUrl type",
  ],
  [
    "may return null instead of a named schema",
    setMembers("OpenResult", {
      address: { anyOf: [{ $ref: "#/components/schemas/BrowserAddress" }, { type: "null" }] },
    }),
    "breaking",
    "answer OpenResult/address type",
  ],
  ["no longer returns null", set("Session.label", { type: "string" }), "additive", "answer Session/label type"],
  [
    "answers another type",
    set("QueryResult.response", { type: "object" }),
    "breaking",
    "answer QueryResult/response type",
  ],
  ["changes a constant", set("CloseResult.status", { const: 204 }), "breaking", "answer CloseResult/status values"],
  ["drops a constant", set("CloseResult.status", { const: undefined }), "breaking", "answer CloseResult/status values"],
  [
    "may return an additional value",
    (d) => {
      delete d.member("CloseResult", "status")["const"];
      d.member("CloseResult", "status")["enum"] = [200, 202];
    },
    "breaking",
    "answer CloseResult/status values",
  ],
  ["answers longer text", set("Session.label", { maxLength: 1000 }), "breaking", "answer Session/label maxLength"],
  ["answers shorter text", set("Session.label", { maxLength: 100 }), "additive", "answer Session/label maxLength"],
  ["drops a pattern", set("BrowserAddress", { pattern: undefined }), "breaking", "answer BrowserAddress pattern"],
  ["drops a format", set("Session.startedOn", { format: undefined }), "breaking", "answer Session/startedOn format"],
  [
    "changes a member's named schema",
    setMembers("OpenResult", { address: { $ref: "#/components/schemas/ErrorMessage" } }),
    "breaking",
    "answer OpenResult/address schema-name",
  ],
  [
    "removes a success",
    setAnswers("Browser/Close", { 200: undefined }),
    "breaking",
    "answer closeBrowser/200 presence",
  ],
  [
    "returns a different success status",
    setAnswers("Browser/Close", { 202: answerWith({ type: "object" }) }),
    "breaking",
    "answer closeBrowser/202 presence",
  ],
  [
    "removes a header",
    (d) => delete ((d.answers("Browser/Open")["200"] as Json)["headers"] as Json)["X-Request-Id"],
    "breaking",
    "answer openBrowser/200/X-Request-Id presence",
  ],
  [
    "adds a header",
    (d) => (((d.answers("Browser/Open")["200"] as Json)["headers"] as Json)["X-Other"] = OTHER_HEADER),
    "additive",
    "answer openBrowser/200/X-Other presence",
  ],
  [
    "returns a different media type",
    (d) => (((d.answers("Browser/Open")["200"] as Json)["content"] as Json)["text/html"] = {}),
    "breaking",
    "answer openBrowser/200/text/html media-type",
  ],
  ["widens a shared header", set("RequestId", { maxLength: 512 }), "breaking", "answer RequestId maxLength"],
];
