import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";
import { typeOf } from "./json-type.ts";
import { InvalidAnswerError } from "./remote-browser-error.ts";
import type { AnswerOf } from "./transport.ts";

/** A schema that knows its type, checks values, and can write itself as JSON Schema: zod 4.2 or later, and others. */
export interface TypedSchema<Input = unknown, Output = Input> {
  readonly "~standard": StandardSchemaV1.Props<Input, Output> & StandardJSONSchemaV1.Props<Input, Output>;
}

/** A JSON Schema (2020-12, 2019-09 or draft-07) as an object. */
export type JsonSchema = { readonly [keyword: string]: unknown } & { readonly "~standard"?: never };

/** What a query is to give. */
export type ResultFormat = "text" | "json" | TypedSchema | JsonSchema;

type QueryAnswer = AnswerOf<"queryAi">;

/**
 * What the contract calls the format.
 * @throws {TypeError} When it is none, or a schema that cannot be written as JSON Schema.
 */
export function writeFormat(format: ResultFormat): string {
  if (format === "text" || format === "json") return format;
  if (!isSchema(format)) {
    throw new TypeError(`The format is ${JSON.stringify(format)}: it is to be "text", "json" or a schema.`);
  }
  if (!isTyped(format)) return JSON.stringify(format);
  const { jsonSchema, vendor } = format["~standard"];
  if (jsonSchema === undefined) {
    throw new TypeError(
      `A schema of ${vendor} cannot write itself as JSON Schema (Standard JSON Schema): wrap it, or pass JSON Schema.`,
    );
  }
  // The input: what the schema makes of a value is made here, from what the model answers.
  return JSON.stringify(jsonSchema.input({ target: "draft-2020-12" }));
}

/** @throws {InvalidAnswerError} When the answer has no value, or not one that the schema takes. */
export async function readResult(format: ResultFormat, answer: QueryAnswer): Promise<unknown> {
  if (format === "text") return answer.response;
  if (!Object.hasOwn(answer, "value")) {
    throw new InvalidAnswerError("The answer to queryAi has no value, which this format always has.");
  }
  if (format === "json" || !isTyped(format)) return answer.value;
  const result = await format["~standard"].validate(answer.value);
  if (result.issues === undefined) return result.value;
  const places = result.issues.map((issue) => toPlace(issue, answer.value));
  throw new InvalidAnswerError(`The answer is not what the schema takes: ${[...new Set(places)].join(", ")}.`);
}

/** Where it differs, and what is there by its type: many libraries' own words quote the value. */
function toPlace({ path = [] }: StandardSchemaV1.Issue, value: unknown): string {
  const keys = path.map((segment) => (typeof segment === "object" ? segment.key : segment));
  let found = value;
  for (const key of keys) {
    found = typeof found === "object" && found !== null ? (found as Record<PropertyKey, unknown>)[key] : undefined;
  }
  return `${keys.length === 0 ? "it" : keys.map(String).join(".")} is ${found === undefined ? "missing" : typeOf(found)}`;
}

/** Schemas are objects, or functions with members. */
function isSchema(format: unknown): boolean {
  return typeof format === "function" || (typeof format === "object" && format !== null && !Array.isArray(format));
}

/** Types promise `jsonSchema`; programs without types may pass a schema that lacks it. */
function isTyped(format: object): format is {
  readonly "~standard": StandardSchemaV1.Props & Partial<Pick<StandardJSONSchemaV1.Props, "jsonSchema">>;
} {
  return "~standard" in format;
}
