import { type Fault, type Mutant, mutant } from "../../mutant.ts";
import { onMember, onRequest, refuseBody } from "../../faults/alter.ts";
import { type Shown, onResult } from "../../faults/shown.ts";

type Query = { readonly html?: unknown; readonly prompt?: unknown; readonly responseFormat?: unknown };

/** Alters Query's successful responses. */
const onAnswers = (alter: (body: Shown) => object): Fault => onResult("queryAi", alter);

/** Alters Query's successful responses to requests with a JSON Schema. */
function onSchema(alter: (body: Shown) => object): Fault {
  return onResult("queryAi", (body, { responseFormat }) =>
    typeof responseFormat === "string" && responseFormat.startsWith("{") ? alter(body) : body,
  );
}

/** Rejects some response formats. */
function refuseFormat(isWrong: (format: unknown) => boolean): Fault {
  return refuseBody("queryAi", ({ responseFormat }, { headers }) =>
    headers.has("authorization") && isWrong(responseFormat) ? "/responseFormat" : undefined,
  );
}

const understandAs = (alter: (query: Query) => unknown): Fault => onRequest("queryAi", alter);

const withFormat = (alter: (format: string) => unknown): Fault =>
  onMember("queryAi", "responseFormat", (value) => (typeof value === "string" ? alter(value) : value));

/** Query. */
export const LANGUAGE_MODEL_MUTANTS: readonly Mutant[] = [
  mutant("ai-value-missing", ["RBS-AI-04", "RBS-AI-05"], "For JSON formats, Query returns no value", () =>
    onAnswers((body) => ({ ...body, value: undefined })),
  ),
  mutant("ai-value-text", ["RBS-AI-05", "RBS-AI-06"], "Query returns value as a string that contains JSON", () =>
    onAnswers((body) => ("value" in body ? { ...body, value: JSON.stringify(body["value"]) } : body)),
  ),
  mutant("ai-value-for-text", ["RBS-AI-03"], "For the format text, Query also returns a value", () =>
    onAnswers((body) => ({ value: body["response"], ...body })),
  ),
  mutant("ai-value-null-for-text", ["RBS-AI-03"], "For the format text, Query's value is null", () =>
    onAnswers((body) => ({ value: null, ...body })),
  ),
  mutant("ai-response-object", ["RBS-AI-04", "RBS-ANSWER-02"], "For JSON formats, response isn't a string", () =>
    onAnswers((body) => ("value" in body ? { ...body, response: body["value"] } : body)),
  ),
  mutant("ai-response-missing", ["RBS-AI-04", "RBS-ANSWER-02"], "For JSON formats, response is missing", () =>
    onAnswers(({ response, ...body }) => ("value" in body ? body : { response, ...body })),
  ),
  mutant("ai-schema-unchecked", ["RBS-AI-05"], "The value isn't checked against the schema", () =>
    onSchema((body) => ({ ...body, value: { unchecked: true } })),
  ),
  mutant("ai-number-wrapped", ["RBS-AI-06"], "A bare number is wrapped in an object", () =>
    onSchema((body) => (typeof body["value"] === "number" ? { ...body, value: { value: body["value"] } } : body)),
  ),
  mutant("ai-default-json", ["RBS-AI-10"], "Without responseFormat, Query returns JSON", () =>
    understandAs((query) => ({ responseFormat: "json", ...query })),
  ),
  mutant("ai-format-null-refused", ["RBS-AI-10"], "A null response format is rejected", () =>
    refuseFormat((format) => format === null),
  ),
  mutant("ai-format-unknown", ["RBS-AI-02"], "An unknown response format is treated as text", () =>
    withFormat((format) => (/^(json$|\{|true|false)/.test(format) ? format : "text")),
  ),
  mutant("ai-format-case", ["RBS-AI-02"], "Response formats are case-insensitive", () =>
    withFormat((format) => (/^(json|text)$/i.test(format) ? format.toLowerCase() : format)),
  ),
  mutant("ai-format-object", ["RBS-AI-02"], "A response format can be an object", () =>
    onMember("queryAi", "responseFormat", (value) =>
      typeof value === "object" && value !== null ? JSON.stringify(value) : value,
    ),
  ),
  mutant("ai-json-refused", ["RBS-AI-04"], "The response format json is rejected", () =>
    refuseFormat((format) => format === "json"),
  ),
  mutant("ai-root-object-only", ["RBS-AI-06"], "A schema whose root isn't an object is rejected", () =>
    refuseFormat((format) => String(format).startsWith("{") && !/"object"/.test(String(format))),
  ),
  mutant("ai-draft-07-refused", ["RBS-AI-07"], "Schemas that use draft-07 are rejected", () =>
    refuseFormat((format) => /"\$schema".*draft-07/.test(String(format))),
  ),
  mutant("ai-2019-refused", ["RBS-AI-07"], "Schemas that use draft 2019-09 are rejected", () =>
    refuseFormat((format) => /"\$schema".*2019-09/.test(String(format))),
  ),
  mutant("ai-references-outward", ["RBS-AI-08"], "Schemas may refer to schemas on the web", () =>
    withFormat((format) => (/"\$ref" *: *"(?!#)/.test(format) ? '{"type":"object"}' : format)),
  ),
  mutant("ai-schema-endless", ["RBS-AI-08"], "Schemas have no maximum length", () =>
    withFormat((format) => (format.length > 65_536 ? '{"type":"object"}' : format)),
  ),
  mutant("ai-schema-bottomless", ["RBS-AI-08"], "Schemas have no maximum nesting depth", () =>
    withFormat((format) => (format.split("{").length > 60 && format.length < 65_536 ? '{"type":"object"}' : format)),
  ),
  mutant("ai-prompt-empty", ["RBS-AI-01"], "An empty prompt is accepted", () =>
    onMember("queryAi", "prompt", (value) => (value === "" ? "Say hello." : value)),
  ),
  mutant("ai-prompt-missing", ["RBS-AI-01"], "A missing prompt is accepted", () =>
    understandAs((query) => ({ prompt: "Say hello.", ...query })),
  ),
  mutant("ai-html-empty", ["RBS-AI-01"], "An empty document is accepted", () =>
    onMember("queryAi", "html", (value) => (value === "" ? "<p>Nothing</p>" : value)),
  ),
];
