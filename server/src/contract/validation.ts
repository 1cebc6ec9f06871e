import contract from "@remote-browser/contract/openapi.json" with { type: "json" };
import { operations, type OperationId } from "@remote-browser/contract/operations";
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import { Failure } from "../domain/failure.ts";
import type { RequestBody } from "./operation.ts";
import { type SpelledSchema, toContractSpelling } from "./spelling.ts";

/** Limits the response's length, because a body can have thousands of errors. */
const MAX_ERRORS = 20;
const MAX_SHOWN_LENGTH = 60;

/** Validates request bodies and queries against the contract's schemas. */
export type BodyReader = {
  /**
   * @param sent The parsed JSON, or the query's parameters.
   * @param check Throws `BadRequest` for mistakes that a schema can't express. Called only for a body that doesn't
   * match its schema, with the invalid members removed, so that one response reports all mistakes. Callers check valid
   * bodies themselves.
   * @throws {Failure} `BadRequest` with a path, in the sender's spelling, for each error.
   */
  read<Id extends OperationId>(id: Id, sent: unknown, check?: (body: never) => unknown): RequestBody<Id>;
  /** Converts the paths in a later failure to the spelling that this body uses. */
  toSender(sent: unknown, id: OperationId, failure: Failure): Failure;
};

let shared: BodyReader | undefined;

/** Returns this process's reader, created once because compiling the schemas takes half of a server's startup time. */
export function bodyReader(): BodyReader {
  return (shared ??= newBodyReader());
}

function newBodyReader(): BodyReader {
  // Not strict: the contract is a whole OpenAPI document, with keywords that strict mode rejects. The contract's linter
  // validates the schemas.
  const ajv = new Ajv2020({
    allErrors: true,
    strict: false,
    validateFormats: false,
    verbose: true,
    meta: false,
    validateSchema: false,
  });
  ajv.addSchema(contract, "contract");
  const validators = new Map<SpelledSchema, ValidateFunction>();
  for (const schema of new Set(REQUEST_SCHEMAS.values())) {
    validators.set(schema, ajv.compile(schema.$ref === undefined ? schema : { $ref: `contract${schema.$ref}` }));
  }
  return {
    read(id, sent, check) {
      const schema = REQUEST_SCHEMAS.get(id);
      const validate = schema && validators.get(schema);
      if (schema === undefined || validate === undefined) return undefined as RequestBody<typeof id>;
      const { value, toSender, disagreements } = toContractSpelling(sent, schema, resolve);
      const found = validate(value) ? [] : toErrors(validate.errors ?? []);
      if (found.length + disagreements.length === 0) return value as RequestBody<typeof id>;
      const wrong = new Set([...found, ...disagreements].map(({ pointer }) => toMember(pointer)));
      const others = check === undefined ? [] : findOthers(value, wrong, check as (body: unknown) => unknown);
      const mistakes = [...found, ...others].map(({ pointer, message }) => ({ path: toSender(pointer), message }));
      throw toBadRequest(disagreements, mistakes);
    },
    toSender(sent, id, failure) {
      const schema = REQUEST_SCHEMAS.get(id);
      if (schema === undefined || failure.errors === undefined) return failure;
      const { toSender } = toContractSpelling(sent, schema, resolve);
      const errors = failure.errors.map(({ path, message }) => ({ path: toSender(path), message }));
      return new Failure(failure.failure, failure.message, { cause: failure, errors });
    },
  };
}

type Parameter = {
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
  readonly schema: SpelledSchema;
};

type Methods = Readonly<Record<string, { readonly tags: object; readonly parameters?: readonly Parameter[] }>>;

/** The schema of each operation's JSON body or query. Operations with the same body share a schema. */
const REQUEST_SCHEMAS = readRequestSchemas();

function readRequestSchemas(): ReadonlyMap<OperationId, SpelledSchema> {
  const found = new Map<OperationId, SpelledSchema>();
  const ofBodies = new Map<string, SpelledSchema>();
  const paths: Readonly<Record<string, Methods>> = contract.paths;
  for (const id of Object.keys(operations) as OperationId[]) {
    const { requestSchema, path, method } = operations[id];
    const query = (paths[path]?.[method]?.parameters ?? []).filter((parameter) => parameter.in === "query");
    if (requestSchema !== null) {
      const schema = ofBodies.get(requestSchema) ?? { $ref: `#/components/schemas/${requestSchema}` };
      ofBodies.set(requestSchema, schema);
      found.set(id, schema);
    } else if (query.length > 0) {
      const required = query.filter((parameter) => parameter.required).map(({ name }) => name);
      found.set(id, { required, properties: Object.fromEntries(query.map(({ name, schema }) => [name, schema])) });
    }
  }
  return found;
}

function resolve(ref: string): SpelledSchema {
  const schemas: Readonly<Record<string, SpelledSchema>> = contract.components.schemas;
  const schema = schemas[ref.slice("#/components/schemas/".length)];
  if (schema === undefined) throw new Error(`The contract has no ${ref}.`);
  return schema;
}

type Mistake = { readonly pointer: string; readonly message: string };

/** Returns the name of the body member that a pointer points into. Empty for the body itself. */
function toMember(pointer: string): string {
  return pointer.split("/")[1] ?? "";
}

/** Finds mistakes in members not listed in `wrong`. Ignores missing members, because `wrong` ones are removed. */
function findOthers(body: unknown, wrong: ReadonlySet<string>, check: (body: unknown) => unknown): readonly Mistake[] {
  if (wrong.has("") || typeof body !== "object" || body === null) return [];
  const rest = Object.fromEntries(Object.entries(body).filter(([name]) => !wrong.has(name)));
  try {
    check(rest);
    return [];
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return (error.errors ?? [])
      .filter(({ path }) => Object.hasOwn(rest, toMember(path)))
      .map(({ path, message }) => ({ pointer: path, message }));
  }
}

function toErrors(found: readonly ErrorObject[]): readonly Mistake[] {
  const isNullBranch = ({ keyword, schema }: ErrorObject): boolean => keyword === "type" && schema === "null";
  // "must match a schema in anyOf" repeats the branches' errors, and "must be null" applies to every optional member.
  const specific = found.filter((error) => !["oneOf", "anyOf"].includes(error.keyword) && !isNullBranch(error));
  const mistyped = new Set(
    specific.filter(({ keyword }) => keyword === "type").map(({ instancePath }) => instancePath),
  );
  return (
    specific
      // A value of the wrong type is never an allowed value, so the type error is enough.
      .filter(({ keyword, instancePath }) => keyword !== "enum" || !mistyped.has(instancePath))
      .map((error) => ({ pointer: toPointer(error), message: toMessage(error) }))
  );
}

type PathErrors = NonNullable<Failure["errors"]>;

/** @param sentences Errors with complete sentences. @param phrases Errors whose sentences must begin with a name. */
function toBadRequest(sentences: PathErrors, phrases: PathErrors): Failure {
  const errors = [...sentences, ...phrases].slice(0, MAX_ERRORS).map(({ path, message }) => ({ path, message }));
  const named = errors
    .slice(sentences.length)
    .map(({ path, message }) => `${toName(path)} ${message.replace(/\.$/, "")}`);
  const first = errors.slice(0, sentences.length).map(({ message }) => message);
  const rest = named.length === 0 ? [] : [`The request is not valid: ${named.join("; ")}.`];
  return new Failure("BadRequest", [...first, ...rest].join(" "), { errors });
}

function toPointer({ instancePath, keyword, params }: ErrorObject): string {
  return keyword === "required" ? `${instancePath}/${String(params["missingProperty"])}` : instancePath;
}

/** Returns a path's name for messages: `proxy.port` for `/proxy/port`. */
function toName(pointer: string): string {
  return pointer === "" ? "the body" : pointer.slice(1).replaceAll("/", ".");
}

function toMessage({ keyword, params, data, instancePath, parentSchema, message }: ErrorObject): string {
  // Never repeat a secret, not even to its sender: responses end up in logs.
  const isSecret = /^\/Proxy(\/(Username|Password|Host))?$/.test(instancePath);
  const seen = isSecret ? "" : `, not ${show(data)}`;
  const limit = String(params["limit"]);
  switch (keyword) {
    case "required":
      return "is required";
    case "minLength":
      return data === "" ? "must not be empty" : `must have at least ${limit} characters`;
    case "maxLength":
      return `must have at most ${limit} characters`;
    case "maxItems":
      return `must have at most ${limit} elements`;
    case "minimum":
      return `must be ${limit} or more${seen}`;
    case "maximum":
      return `must be ${limit} or less${seen}`;
    case "type":
      // A string of digits, such as a port, that was sent as a number.
      if (typeof data === "number" && parentSchema?.["pattern"] !== undefined) {
        return `must be a string: send "${data}", not ${data}`;
      }
      return `must be ${toTypes(params["type"])}${seen}`;
    case "enum":
      return `must be one of ${JSON.stringify(params["allowedValues"])}${seen}`;
    case "pattern":
      return `must match the contract's description (${firstSentence(parentSchema)})${seen}`;
    default:
      return `${message ?? keyword}${seen}`;
  }
}

function toTypes(types: unknown): string {
  const named = [types].flat().map(String);
  const shown = named.filter((type) => type !== "null");
  return shown.map((type) => (/^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`)).join(" or ");
}

function firstSentence(parentSchema: ErrorObject["parentSchema"]): string {
  const [sentence = ""] = String(parentSchema?.["description"] ?? "").split(/\.\s/);
  return sentence.trim().replace(/\.$/, "");
}

/** Describes a value without serializing objects: deep nesting would overflow the stack. */
function show(value: unknown): string {
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object" && value !== null) return "an object";
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= MAX_SHOWN_LENGTH ? text : `${text.slice(0, MAX_SHOWN_LENGTH)}… (${text.length} characters)`;
}
