import { aliases } from "./aliases.ts";
import { bodyLimits } from "./body-limits.ts";
import { commonAnswers } from "./common-answers.ts";
import { doubleNumbers } from "./double-numbers.ts";
import { errorSchemas } from "./error-schemas.ts";
import { everyExample } from "./every-example.ts";
import { exactStatuses } from "./exact-statuses.ts";

type NodeType = { readonly properties: Readonly<Record<string, unknown>> };
type NodeTypes = Readonly<Record<string, NodeType>> & Readonly<Record<"Root" | "Operation" | "Schema", NodeType>>;

/** Of the conformance suite; whether each is one is checked where the suite is. */
const RULE_IDS = { type: "array", items: { type: "string" } };

/** The contract's own rules, and its own extensions, so that Redocly walks and checks what is in them. */
const plugin = {
  id: "contract",
  rules: {
    oas3: {
      aliases,
      "body-limits": bodyLimits,
      "common-answers": commonAnswers,
      "double-numbers": doubleNumbers,
      "error-schemas": errorSchemas,
      "every-example": everyExample,
      "exact-statuses": exactStatuses,
    },
  },
  typeExtension: {
    oas3: (types: NodeTypes) => ({
      ...types,
      AnswersOfOtherRequests: { properties: {}, additionalProperties: () => "Response" },
      Root: extend(types.Root, { "x-answers-of-other-requests": "AnswersOfOtherRequests", "x-rules": RULE_IDS }),
      Operation: extend(types.Operation, { "x-max-body-bytes": { type: "integer" }, "x-rules": RULE_IDS }),
      Schema: extend(types.Schema, { "x-alias": { type: "string" } }),
    }),
  },
};

function extend(type: NodeType, properties: Record<string, unknown>): NodeType {
  return { ...type, properties: { ...type.properties, ...properties } };
}

// Redocly looks for a plugin in the default export and nowhere else.
export default () => plugin;
