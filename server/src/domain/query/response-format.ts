import { badRequest, type Failure } from "../failure.ts";

/** A longer schema would cost more tokens than a page. */
const MAX_SCHEMA_CHARS = 65_536;
/** Real-world schemas have fewer than 20 levels. */
const MAX_SCHEMA_DEPTH = 64;
const MAX_SHOWN_CHARS = 60;

/** An unvalidated JSON Schema. */
export type JsonSchema = boolean | { readonly [keyword: string]: unknown };

export type ResponseFormat =
  | { readonly kind: "text" }
  | { readonly kind: "json" }
  | { readonly kind: "schema"; readonly schema: JsonSchema };

/**
 * Parses the response format of a Query: `text` (the default), `json`, or a JSON Schema as JSON text.
 * @throws {Failure} `BadRequest` for any other string, and for a schema that is too long or too deeply nested.
 */
export function readResponseFormat(text: string | undefined): ResponseFormat {
  if (text === undefined || text === "text") return { kind: "text" };
  if (text === "json") return { kind: "json" };
  if (text.length > MAX_SCHEMA_CHARS) {
    throw badFormat(`must have at most ${MAX_SCHEMA_CHARS} characters, not ${text.length}`);
  }
  const schema = parseSchema(text);
  if (schema === undefined) throw badFormat(`must be "text", "json" or a JSON Schema as JSON text, not ${show(text)}`);
  if (isDeeperThan(schema, MAX_SCHEMA_DEPTH)) throw badFormat(`must be nested at most ${MAX_SCHEMA_DEPTH} levels deep`);
  return { kind: "schema", schema };
}

export function badFormat(message: string): Failure {
  return badRequest("/responseFormat", "responseFormat", message);
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
