import type { JsonSchema } from "../../domain/query/response-format.ts";

export type ProviderSchema = {
  readonly schema: Readonly<Record<string, unknown>>;
  /** Whether the value is wrapped as an object's `value`, because the provider only supports objects. */
  readonly isWrapped: boolean;
};

type Keywords = Readonly<Record<string, unknown>>;

const SCALARS = new Set(["string", "number", "integer", "boolean", "null"]);
const FORMATS = new Set("date-time time date duration email hostname uri ipv4 ipv6 uuid".split(" "));

/** Keywords that can allow members outside `properties`, which the provider doesn't support. */
const OPENING = [
  ..."allOf anyOf oneOf if not $ref $dynamicRef patternProperties dependentSchemas dependencies".split(" "),
  "unevaluatedProperties",
];

/** Keywords that don't affect validation. */
const ANNOTATIONS = new Set([
  ..."title description default examples deprecated readOnly writeOnly".split(" "),
  ..."$schema $comment $defs definitions".split(" "),
]);

/** The provider's subset of JSON Schema can't express the schema. */
class Inexpressible extends Error {}

/**
 * Returns the part of a schema that the provider can enforce. The result allows everything that the schema allows,
 * except for unnamed members of objects. Bounds, patterns and similar keywords are checked in the answer.
 * @returns Undefined if the provider can't enforce the schema, which then appears only in the prompt.
 */
export function toProviderSchema(schema: JsonSchema): ProviderSchema | undefined {
  const definitions = new Definitions(schema);
  try {
    const root = convert(schema, definitions);
    const isWrapped = root["type"] !== "object";
    const object = isWrapped
      ? { type: "object", properties: { value: root }, required: ["value"], additionalProperties: false }
      : root;
    const $defs = definitions.converted;
    return { schema: Object.keys($defs).length === 0 ? object : { ...object, $defs }, isWrapped };
  } catch (error) {
    if (error instanceof Inexpressible) return undefined;
    throw error;
  }
}

/** Converts a schema's definitions. Recursive definitions can't be expressed. */
class Definitions {
  readonly converted: Record<string, Keywords> = {};
  readonly #root: Keywords;
  /** Names of converted definitions, by reference. `$defs` and `definitions` may contain the same names. */
  readonly #names = new Map<string, string>();
  readonly #converting = new Set<string>();

  constructor(root: JsonSchema) {
    this.#root = typeof root === "boolean" ? {} : root;
  }

  toReference(ref: unknown): Keywords {
    const [, keyword = "", name = ""] = /^#\/(\$defs|definitions)\/([\w.-]+)$/.exec(String(ref)) ?? [];
    const parts = this.#root[keyword];
    const part = isObject(parts) && Object.hasOwn(parts, name) ? parts[name] : undefined;
    const key = String(ref);
    if (part === undefined || this.#converting.has(key)) throw new Inexpressible();
    const known = this.#names.get(key);
    if (known !== undefined) return { $ref: `#/$defs/${known}` };
    const free = this.#freeName(name);
    this.#names.set(key, free);
    this.#converting.add(key);
    this.converted[free] = convert(part, this);
    this.#converting.delete(key);
    return { $ref: `#/$defs/${free}` };
  }

  #freeName(preferred: string): string {
    const taken = new Set(this.#names.values());
    let name = preferred;
    while (taken.has(name)) name += "_";
    return name;
  }
}

function convert(schema: unknown, definitions: Definitions): Keywords {
  if (!isObject(schema)) throw new Inexpressible();
  const { description, title, type } = schema;
  const texts = {
    ...(typeof title === "string" ? { title } : {}),
    ...(typeof description === "string" ? { description } : {}),
  };
  if (schema["enum"] !== undefined) return { ...texts, enum: toLiterals(schema["enum"]) };
  if (schema["const"] !== undefined) return { ...texts, const: toLiterals([schema["const"]])[0] };
  if (typeof type === "string") return { ...texts, ...convertType(type, schema, definitions) };
  if (Array.isArray(type)) return { ...texts, anyOf: type.map((one) => convertType(String(one), schema, definitions)) };
  const untyped = convertUntyped(schema, definitions);
  return untyped["anyOf"] === undefined ? untyped : { ...texts, ...untyped };
}

/** Converts a schema without a type. Only one keyword is allowed, as the provider can't express combinations. */
function convertUntyped(schema: Keywords, definitions: Definitions): Keywords {
  const [keyword = "", ...siblings] = Object.keys(schema).filter((name) => !ANNOTATIONS.has(name));
  if (siblings.length > 0) throw new Inexpressible();
  const value = schema[keyword];
  if (keyword === "$ref") return definitions.toReference(value);
  const branches = toArray(value);
  if (keyword === "allOf" && branches.length === 1) return convert(branches[0], definitions);
  if ((keyword === "anyOf" || keyword === "oneOf") && branches.length > 0) {
    return { anyOf: branches.map((branch) => convert(branch, definitions)) };
  }
  throw new Inexpressible();
}

function convertType(type: string, schema: Keywords, definitions: Definitions): Keywords {
  if (type === "object") return convertObject(schema, definitions);
  if (type === "array") {
    const { items, minItems, prefixItems } = schema;
    if (prefixItems !== undefined || isOpened(schema)) throw new Inexpressible();
    return { type, items: convert(items, definitions), ...(minItems === 0 || minItems === 1 ? { minItems } : {}) };
  }
  if (!SCALARS.has(type)) throw new Inexpressible();
  const { format } = schema;
  return { type, ...(type === "string" && typeof format === "string" && FORMATS.has(format) ? { format } : {}) };
}

function convertObject(schema: Keywords, definitions: Definitions): Keywords {
  const { properties, required, additionalProperties } = schema;
  const isOpen = additionalProperties !== undefined && additionalProperties !== false;
  if (isOpen || !isObject(properties) || isOpened(schema)) throw new Inexpressible();
  const names = toArray(required);
  if (!names.every((name) => Object.hasOwn(properties, String(name)))) throw new Inexpressible();
  const converted = Object.entries(properties).map(([name, property]) => [name, convert(property, definitions)]);
  return {
    type: "object",
    properties: Object.fromEntries(converted),
    ...(required === undefined ? {} : { required: names }),
    additionalProperties: false,
  };
}

function isOpened(schema: Keywords): boolean {
  return OPENING.some((keyword) => schema[keyword] !== undefined);
}

function toLiterals(values: unknown): readonly unknown[] {
  const literals = toArray(values);
  if (literals.length === 0 || literals.some((one) => typeof one === "object" && one !== null))
    throw new Inexpressible();
  return literals;
}

function toArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isObject(value: unknown): value is Keywords {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
