import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";
import { typeOf } from "./json-type.ts";
import { InvalidAnswerError } from "./remote-browser-error.ts";
import type { AnswerOf } from "./transport.ts";

/** A typed schema that validates values and converts itself to JSON Schema, such as a schema from zod 4.2 or later. */
export interface TypedSchema<Input = unknown, Output = Input> {
  readonly "~standard": StandardSchemaV1.Props<Input, Output> & StandardJSONSchemaV1.Props<Input, Output>;
}

/** A JSON Schema (2020-12, 2019-09 or draft-07) as an object. */
export type JsonSchema = { readonly [keyword: string]: unknown } & { readonly "~standard"?: never };

/** The format of a query's result. */
export type ResultFormat = "text" | "json" | TypedSchema | JsonSchema;

type QueryAnswer = AnswerOf<"queryAi">;

/**
 * Returns a format as spelled in the contract.
 * @throws {TypeError} If the argument isn't a format, or is a schema that can't convert itself to JSON Schema.
 */
export function writeFormat(format: ResultFormat): string {
  if (format === "text" || format === "json") return format;
  if (!isSchema(format)) {
    throw new TypeError(`The format is ${JSON.stringify(format)}: pass "text", "json" or a schema.`);
  }
  if (!isTyped(format)) return JSON.stringify(format);
  const { jsonSchema, vendor } = format["~standard"];
  if (jsonSchema === undefined) {
    throw new TypeError(
      `A schema from ${vendor} can't convert itself to JSON Schema (Standard JSON Schema): wrap it, or pass JSON Schema.`,
    );
  }
  // The model provides the schema's input, and the client then applies the schema's transformations.
  return JSON.stringify(jsonSchema.input({ target: "draft-2020-12" }));
}

/** @throws {InvalidAnswerError} If the response has no value, or a value that doesn't match the schema. */
export async function readResult(format: ResultFormat, answer: QueryAnswer): Promise<unknown> {
  if (format === "text") return answer.response;
  if (!Object.hasOwn(answer, "value")) {
    throw new InvalidAnswerError("The response to queryAi has no value, but this format requires one.");
  }
  if (format === "json" || !isTyped(format)) return answer.value;
  const result = await format["~standard"].validate(answer.value);
  if (result.issues === undefined) return result.value;
  const places = result.issues.map((issue) => toPlace(issue, answer.value));
  throw new InvalidAnswerError(`The value doesn't match the schema: ${[...new Set(places)].join(", ")}.`);
}

/** Describes a mismatch by its path and type, because many libraries' own messages quote the value. */
function toPlace({ path = [] }: StandardSchemaV1.Issue, value: unknown): string {
  const keys = path.map((segment) => (typeof segment === "object" ? segment.key : segment));
  let found = value;
  for (const key of keys) {
    found = typeof found === "object" && found !== null ? (found as Record<PropertyKey, unknown>)[key] : undefined;
  }
  return `${keys.length === 0 ? "it" : keys.map(String).join(".")} is ${found === undefined ? "missing" : typeOf(found)}`;
}

/** A schema is an object, or a function with members. */
function isSchema(format: unknown): boolean {
  return typeof format === "function" || (typeof format === "object" && format !== null && !Array.isArray(format));
}

/** The types require `jsonSchema`, but JavaScript callers may pass a schema without it. */
function isTyped(format: object): format is {
  readonly "~standard": StandardSchemaV1.Props & Partial<Pick<StandardJSONSchemaV1.Props, "jsonSchema">>;
} {
  return "~standard" in format;
}
