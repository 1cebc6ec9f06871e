import type { Fault, Mutant } from "../mutant.ts";
import { type Answered, isFor, onAnswer, onCall, onRequest, refusal } from "./alter.ts";

type Query = { readonly html?: unknown; readonly prompt?: unknown; readonly responseFormat?: unknown };

/** A fault in Query's responses that depends on the request. */
function onResult(alter: (body: Answered["body"], query: Query) => unknown): Fault {
  return {
    async answer(request, next) {
      if (!isFor(request, "queryAi")) return next(request);
      const text = await request.clone().text();
      const fault = onAnswer("queryAi", ({ status, body }) =>
        status === 200 ? { body: alter(body, JSON.parse(text) as Query) } : {},
      );
      return fault.answer?.(request, next) ?? next(request);
    },
  };
}

function onSchema(alter: (body: Answered["body"], schema: Record<string, unknown>) => unknown): Fault {
  return onResult((body, { responseFormat }) => {
    const text = typeof responseFormat === "string" ? responseFormat : "text";
    return text.startsWith("{") ? alter(body, JSON.parse(text) as Record<string, unknown>) : body;
  });
}

function refuseWhere(isWrong: (query: Query) => boolean, place: string): Fault {
  return onCall((request, text) => {
    if (!isFor(request, "queryAi") || !request.headers.has("authorization")) return undefined;
    try {
      return isWrong(JSON.parse(text) as Query) ? refusal("BadRequest", place) : undefined;
    } catch {
      return undefined;
    }
  });
}

const understandAs = (alter: (query: Query) => unknown): Fault => onRequest("queryAi", alter);

const withFormat = (alter: (format: string) => unknown): Fault =>
  understandAs((query) =>
    typeof query.responseFormat === "string" ? { ...query, responseFormat: alter(query.responseFormat) } : query,
  );

const withoutValue = (body: Answered["body"]): unknown =>
  Object.fromEntries(Object.entries(body).filter(([name]) => name !== "value"));

/** Query. */
export const LANGUAGE_MODEL_MUTANTS: readonly Mutant[] = [
  {
    id: "ai-value-missing",
    title: "For JSON formats, Query returns no value",
    killedBy: ["RBS-AI-04", "RBS-AI-05"],
    fault: () => onResult(withoutValue),
  },
  {
    id: "ai-value-text",
    title: "Query's value is JSON as a string",
    killedBy: ["RBS-AI-05", "RBS-AI-06"],
    fault: () => onResult((body) => ("value" in body ? { ...body, value: JSON.stringify(body["value"]) } : body)),
  },
  {
    id: "ai-value-for-text",
    title: "Query also returns a value for the format text",
    killedBy: ["RBS-AI-03"],
    fault: () => onResult((body) => ({ value: body["response"], ...body })),
  },
  {
    id: "ai-value-null-for-text",
    title: "For the format text, Query's value is null",
    killedBy: ["RBS-AI-03"],
    fault: () => onResult((body) => ({ value: null, ...body })),
  },
  {
    id: "ai-response-object",
    title: "For JSON formats, response is not a string",
    killedBy: ["RBS-AI-04", "RBS-ANSWER-02"],
    fault: () => onResult((body) => ("value" in body ? { ...body, response: body["value"] } : body)),
  },
  {
    id: "ai-response-missing",
    title: "For JSON formats, response is missing",
    killedBy: ["RBS-AI-04", "RBS-ANSWER-02"],
    fault: () => onResult(({ response, ...body }) => ("value" in body ? body : { response, ...body })),
  },
  {
    id: "ai-schema-unchecked",
    title: "The value is not checked against the schema",
    killedBy: ["RBS-AI-05"],
    fault: () => onSchema((body) => ({ ...body, value: { unchecked: true } })),
  },
  {
    id: "ai-number-wrapped",
    title: "A bare number is returned in an object",
    killedBy: ["RBS-AI-06"],
    fault: () =>
      onSchema((body) => (typeof body["value"] === "number" ? { ...body, value: { value: body["value"] } } : body)),
  },
  {
    id: "ai-default-json",
    title: "Without responseFormat, Query returns JSON",
    killedBy: ["RBS-AI-10"],
    fault: () => understandAs((query) => ({ responseFormat: "json", ...query })),
  },
  {
    id: "ai-format-null-refused",
    title: "A response format of null is refused",
    killedBy: ["RBS-AI-10"],
    fault: () => refuseWhere(({ responseFormat }) => responseFormat === null, "/responseFormat"),
  },
  {
    id: "ai-format-unknown",
    title: "An unknown response format means text",
    killedBy: ["RBS-AI-02"],
    fault: () => withFormat((format) => (/^(json$|\{|true|false)/.test(format) ? format : "text")),
  },
  {
    id: "ai-format-case",
    title: "Response formats are case-insensitive",
    killedBy: ["RBS-AI-02"],
    fault: () => withFormat((format) => (/^(json|text)$/i.test(format) ? format.toLowerCase() : format)),
  },
  {
    id: "ai-format-object",
    title: "A response format can be an object",
    killedBy: ["RBS-AI-02"],
    fault: () =>
      understandAs((query) =>
        typeof query.responseFormat === "object" && query.responseFormat !== null
          ? { ...query, responseFormat: JSON.stringify(query.responseFormat) }
          : query,
      ),
  },
  {
    id: "ai-json-refused",
    title: "The response format json is refused",
    killedBy: ["RBS-AI-04"],
    fault: () => refuseWhere(({ responseFormat }) => responseFormat === "json", "/responseFormat"),
  },
  {
    id: "ai-root-object-only",
    title: "A schema whose root is not an object is refused",
    killedBy: ["RBS-AI-06"],
    fault: () =>
      refuseWhere(
        ({ responseFormat }) => String(responseFormat).startsWith("{") && !/"object"/.test(String(responseFormat)),
        "/responseFormat",
      ),
  },
  {
    id: "ai-draft-07-refused",
    title: "Schemas of draft-07 are refused",
    killedBy: ["RBS-AI-07"],
    fault: () =>
      refuseWhere(({ responseFormat }) => /"\$schema".*draft-07/.test(String(responseFormat)), "/responseFormat"),
  },
  {
    id: "ai-2019-refused",
    title: "Schemas of 2019-09 are refused",
    killedBy: ["RBS-AI-07"],
    fault: () =>
      refuseWhere(({ responseFormat }) => /"\$schema".*2019-09/.test(String(responseFormat)), "/responseFormat"),
  },
  {
    id: "ai-references-outward",
    title: "Schemas may refer to schemas on the web",
    killedBy: ["RBS-AI-08"],
    fault: () => withFormat((format) => (/"\$ref" *: *"(?!#)/.test(format) ? '{"type":"object"}' : format)),
  },
  {
    id: "ai-schema-endless",
    title: "The length of schemas is unlimited",
    killedBy: ["RBS-AI-08"],
    fault: () => withFormat((format) => (format.length > 65_536 ? '{"type":"object"}' : format)),
  },
  {
    id: "ai-schema-bottomless",
    title: "The nesting of schemas is unlimited",
    killedBy: ["RBS-AI-08"],
    fault: () =>
      withFormat((format) => (format.split("{").length > 60 && format.length < 65_536 ? '{"type":"object"}' : format)),
  },
  {
    id: "ai-prompt-empty",
    title: "An empty prompt is accepted",
    killedBy: ["RBS-AI-01"],
    fault: () => understandAs((query) => (query.prompt === "" ? { ...query, prompt: "Say hello." } : query)),
  },
  {
    id: "ai-prompt-missing",
    title: "A missing prompt is accepted",
    killedBy: ["RBS-AI-01"],
    fault: () => understandAs((query) => ({ prompt: "Say hello.", ...query })),
  },
  {
    id: "ai-html-empty",
    title: "An empty document is accepted",
    killedBy: ["RBS-AI-01"],
    fault: () => understandAs((query) => (query.html === "" ? { ...query, html: "<p>Nothing</p>" } : query)),
  },
];
