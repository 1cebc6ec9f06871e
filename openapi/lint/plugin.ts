import { bodies, errorSchemas, everyExample, exactStatuses } from "./answers.ts";
import { bodyLimits, commonAnswers, previews } from "./operations.ts";
import { aliases, doubleNumbers, hints, spelling } from "./schemas.ts";

type NodeType = { readonly properties: Readonly<Record<string, unknown>> };
type NodeTypes = Readonly<Record<string, NodeType>> & Readonly<Record<"Root" | "Operation" | "Schema", NodeType>>;

const PREVIEW = { "x-stability": { enum: ["preview"] }, "x-since": { type: "string" } };

/** The contract's own lint rules, and its OpenAPI extensions, which Redocly then visits and checks. */
const plugin = {
  id: "contract",
  rules: {
    oas3: {
      aliases,
      bodies,
      "body-limits": bodyLimits,
      "common-answers": commonAnswers,
      "double-numbers": doubleNumbers,
      "error-schemas": errorSchemas,
      "every-example": everyExample,
      "exact-statuses": exactStatuses,
      hints,
      previews,
      spelling,
    },
  },
  typeExtension: {
    oas3: (types: NodeTypes) => ({
      ...types,
      AnswersOfOtherRequests: { properties: {}, additionalProperties: () => "Response" },
      Capabilities: { properties: {}, additionalProperties: () => ({ type: "boolean" }) },
      Root: extend(types.Root, {
        "x-answers-of-other-requests": "AnswersOfOtherRequests",
        "x-capabilities": "Capabilities",
      }),
      Operation: extend(types.Operation, { "x-max-body-bytes": { type: "integer" }, ...PREVIEW }),
      Schema: extend(types.Schema, {
        ...PREVIEW,
        "x-alias": { type: "string" },
        "x-hint": { type: "array", items: { type: "string" } },
      }),
    }),
  },
};

function extend(type: NodeType, properties: Record<string, unknown>): NodeType {
  return { ...type, properties: { ...type.properties, ...properties } };
}

// Redocly only finds a plugin that is the default export.
export default () => plugin;
