import { Failure } from "../failure.ts";

/** Longer ones cost more tokens than a page does. */
const MAX_SCHEMA_CHARS = 65_536;
/** Schemas that people and generators write are below 20. */
const MAX_SCHEMA_DEPTH = 64;
const MAX_SHOWN_CHARS = 60;

/** A JSON Schema; whether it is a valid one is for a checker to say. */
export type JsonSchema = boolean | { readonly [keyword: string]: unknown };

/** The form that a Query's answer is wanted in. */
export type ResponseFormat =
  | { readonly kind: "text" }
  | { readonly kind: "json" }
  | { readonly kind: "schema"; readonly schema: JsonSchema };

/**
 * Reads the form a Query's answer is wanted in: `text` (when undefined, too), `json`, or a JSON Schema written as JSON.
 * @throws {Failure} `BadRequest` for any other string, and for a schema that is too long or nested too deeply.
 */
export function readResponseFormat(text: string | undefined): ResponseFormat {
  if (text === undefined || text === "text") return { kind: "text" };
  if (text === "json") return { kind: "json" };
  if (text.length > MAX_SCHEMA_CHARS) {
    throw badFormat(`may have ${MAX_SCHEMA_CHARS} characters at most, not ${text.length}`);
  }
  const schema = parseSchema(text);
  if (schema === undefined) throw badFormat(`must be "text", "json" or a JSON Schema as JSON text, not ${show(text)}`);
  if (isDeeperThan(schema, MAX_SCHEMA_DEPTH)) throw badFormat(`may be nested ${MAX_SCHEMA_DEPTH} levels deep at most`);
  return { kind: "schema", schema };
}

/** What is wrong with a response format, said of its place in the request. */
export function badFormat(message: string): Failure {
  return new Failure("BadRequest", `responseFormat ${message}.`, { errors: [{ path: "/responseFormat", message }] });
}

/** JSON Schema 2020-12 section 4.3: a schema is an object or a boolean. */
function parseSchema(text: string): JsonSchema | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isSchema = typeof value === "boolean" || (typeof value === "object" && value !== null);
    return isSchema && !Array.isArray(value) ? (value as JsonSchema) : undefined;
  } catch {
    return undefined;
  }
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeperThan(member, levels - 1));
}

function show(text: string): string {
  return JSON.stringify(text.slice(0, MAX_SHOWN_CHARS));
}
