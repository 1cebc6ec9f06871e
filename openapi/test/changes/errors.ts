import { type Json, type Mutation, set, setAnswers, setMembers } from "./draft.ts";

function error(name: string, status: number): Json {
  return {
    type: "object",
    required: ["status", "name", "message", "requestId"],
    properties: {
      status: { type: "integer", const: status },
      name: { type: "string", const: name },
      message: { $ref: "#/components/schemas/ErrorMessage" },
      requestId: { $ref: "#/components/schemas/RequestId" },
    },
  };
}

function answerWith(schema: Json): Json {
  return { description: "It happened.", content: { "application/json": { schema } } };
}

export const ERRORS: readonly Mutation[] = [
  [
    "removes an error",
    setAnswers("Browser/Open", { 402: undefined }),
    "breaking",
    "answer openBrowser/NoSubscription presence",
  ],
  [
    "moves an error to another status",
    (d) => {
      d.answers("Browser/Open")["409"] = d.answers("Browser/Open")["404"];
      delete d.answers("Browser/Open")["404"];
    },
    "breaking",
    "answer openBrowser/BrowserLimit status",
  ],
  [
    "renames an error",
    set("NoUnitsError.name", { const: "OutOfUnits" }),
    "breaking",
    "answer NoUnitsError/name values",
  ],
  [
    "changes the status in an error's body",
    set("UnknownError.status", { const: 500 }),
    "breaking",
    "answer UnknownError/status values",
  ],
  [
    "adds an error under a new status",
    setAnswers("Browser/Close", { 409: answerWith(error("BrowserBusy", 409)) }),
    "additive",
    "answer closeBrowser/BrowserBusy presence",
  ],
  [
    "adds an error under an existing status",
    (d) => {
      const json = d.at("paths", "/api/v1/Browser/Open", "post", "responses", "404", "content", "application/json");
      json["schema"] = { anyOf: [json["schema"], error("NoSuchProxy", 404)] };
    },
    "additive",
    "answer openBrowser/NoSuchProxy presence",
  ],
  [
    "adds an error for requests that match no operation",
    (d) =>
      (d.contract["x-answers-of-other-requests"] = {
        ...d.at("x-answers-of-other-requests"),
        TooEarly: answerWith(error("TooEarly", 425)),
      }),
    "additive",
    "answer requests that match no operation/TooEarly presence",
  ],
  [
    "removes an error of requests that match no operation",
    (d) => delete d.at("x-answers-of-other-requests")["NotFound"],
    "breaking",
    "answer requests that match no operation/NotFound presence",
  ],
  [
    "removes a member from one error",
    setMembers("BadRequestProblem", { path: undefined }),
    "breaking",
    "answer BadRequestProblem/path presence",
  ],
  [
    "makes a header optional",
    (d) => (d.at("components", "headers", "Retry-After")["required"] = false),
    "breaking",
    "answer headers/Retry-After required",
  ],
  [
    "promises a header",
    (d) => (d.at("components", "headers", "Retry-After-If-Known")["required"] = true),
    "additive",
    "answer headers/Retry-After-If-Known required",
  ],
  [
    "removes a header from a shared response",
    (d) => delete d.at("components", "responses", "TooManyRequests", "headers")["Retry-After"],
    "breaking",
    "answer responses/TooManyRequests/Retry-After presence",
  ],
];
