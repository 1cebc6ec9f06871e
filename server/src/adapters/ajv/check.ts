import { type ErrorObject, type Options, Ajv } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { JsonSchema } from "../../domain/query/response-format.ts";
import type { SchemaProblem } from "../../ports/schema-checker.ts";

/** Maximum number of problems that a model can fix in one attempt. */
const MAX_PROBLEMS = 8;
/** Clients choose names and allowed values, so messages could be as long as a schema or an answer. */
const MAX_POINTER_CHARS = 100;
const MAX_MESSAGE_CHARS = 200;
const MAX_REASON_CHARS = 1000;

/** Not strict, because JSON Schema allows unknown keywords. */
const OPTIONS: Options = { strict: false, allErrors: true, logger: false, addUsedSchema: false };

/** Ajv's constructors by `$schema` (without the fragment). The first constructor is the default. */
const DIALECTS: Readonly<Record<string, (options: Options) => Ajv>> = {
  "https://json-schema.org/draft/2020-12/schema": (options) => new Ajv2020(options),
  "https://json-schema.org/draft/2019-09/schema": (options) => new Ajv2019(options),
  "http://json-schema.org/draft-07/schema": (options) => new Ajv(options),
};
const [DEFAULT_DIALECT = ""] = Object.keys(DIALECTS);

/** The result of a check: why the schema is unusable, or the value's problems. */
export type CheckResult = { readonly reason: string } | { readonly problems: readonly SchemaProblem[] };

/** @param json If undefined, only the schema is checked. */
export function check(schema: JsonSchema, json: string | undefined): CheckResult {
  const dialect = typeof schema === "boolean" ? undefined : schema["$schema"];
  const name = typeof dialect === "string" ? dialect.replace(/#$/, "") : DEFAULT_DIALECT;
  const newAjv = Object.hasOwn(DIALECTS, name) ? DIALECTS[name] : undefined;
  if (newAjv === undefined) return { reason: `$schema must be one of ${Object.keys(DIALECTS).join(", ")}` };
  const ajv = newAjv(OPTIONS);
  addFormats.default(ajv);
  try {
    const validate = ajv.compile(schema);
    if ("$async" in validate) return { reason: "$async is not supported" };
    if (json === undefined || validate(JSON.parse(json))) return { problems: [] };
    return { problems: toProblems(validate.errors ?? []) };
  } catch (error) {
    // References to other documents also fail here, because they aren't fetched.
    return { reason: cut(error instanceof Error ? error.message : String(error), MAX_REASON_CHARS) };
  }
}

function toProblems(errors: readonly ErrorObject[]): SchemaProblem[] {
  return errors.slice(0, MAX_PROBLEMS).map((error) => {
    const message = toMessage(error);
    const extra: unknown = error.params["additionalProperty"];
    const detail = extra === undefined ? "" : `: ${JSON.stringify(extra)}`;
    const pointer = error.instancePath === "" ? "the value" : error.instancePath;
    return {
      inValue: `${cut(pointer, MAX_POINTER_CHARS)} ${cut(message + detail, MAX_MESSAGE_CHARS)}`,
      inSchema: `${cut(toPointer(error.schemaPath), MAX_POINTER_CHARS)} ${cut(message, MAX_MESSAGE_CHARS)}`,
    };
  });
}

function toMessage({ keyword, params, message }: ErrorObject): string {
  if (keyword === "enum") return `must be one of ${JSON.stringify(params["allowedValues"])}`;
  if (keyword === "const") return `must be ${JSON.stringify(params["allowedValue"])}`;
  return message ?? `breaks ${keyword}`;
}

function cut(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : `${text.slice(0, maxChars - 1).toWellFormed()}…`;
}

/** Returns the property names in a path such as `#/properties/items/items/properties/price/type`. */
function toPointer(schemaPath: string): string {
  const names = [...schemaPath.matchAll(/\/properties\/([^/]+)/g)].map(([, name = ""]) => decode(name));
  return names.length === 0 ? "it" : names.join(".");
}

function decode(name: string): string {
  const plain = name.replaceAll("~1", "/").replaceAll("~0", "~");
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}
