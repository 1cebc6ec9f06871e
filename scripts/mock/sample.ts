type Schema = { readonly [keyword: string]: unknown };

/** Deeper schemas refer to themselves. */
const MAX_DEPTH = 8;

/** Text that `format` demands. */
const FORMATS: Readonly<Record<string, string>> = {
  date: "2026-03-14",
  "date-time": "2026-03-14T09:26:53Z",
  email: "person@example.com",
  uri: "https://example.com",
};

/**
 * Makes a value that a JSON Schema allows, for schemas without patterns, conditions and contradictions.
 * @param schema A part of `root`, which `$ref` refers to.
 */
export function sample(schema: unknown, root = schema, depth = 0): unknown {
  if (typeof schema !== "object" || schema === null || depth > MAX_DEPTH) return null;
  const { $ref, properties, items, format, ...keywords } = schema as Schema;
  const [known] = [
    keywords["const"],
    keywords["default"],
    ...toList(keywords["enum"]),
    ...toList(keywords["examples"]),
  ].filter((value) => value !== undefined);
  if (known !== undefined) return known;
  if (typeof $ref === "string") return sample(find(root, $ref), root, depth + 1);
  const [part] = [...toList(keywords["anyOf"]), ...toList(keywords["oneOf"]), ...toList(keywords["allOf"])];
  if (part !== undefined) return sample(part, root, depth + 1);
  const [type = "string"] = [keywords["type"] ?? (properties === undefined ? "string" : "object")].flat() as string[];
  switch (type) {
    case "object":
      return Object.fromEntries(
        Object.entries(properties ?? {}).map(([name, one]) => [name, sample(one, root, depth + 1)]),
      );
    case "array":
      return Array.from({ length: Math.max(1, toNumber(keywords["minItems"])) }, () =>
        sample(items ?? {}, root, depth + 1),
      );
    case "integer":
    case "number":
      return keywords["minimum"] ?? keywords["maximum"] ?? toNumber(keywords["exclusiveMinimum"]) + 1;
    case "boolean":
      return true;
    case "null":
      return null;
    default:
      return FORMATS[String(format)] ?? "text".padEnd(toNumber(keywords["minLength"]), "t");
  }
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function toNumber(value: unknown): number {
  return typeof value === "number" ? value : 0;
}

/** @param pointer Such as `#/$defs/Price`. */
function find(root: unknown, pointer: string): unknown {
  const keys = pointer.split("/").slice(1);
  return keys.reduce<unknown>((node, key) => (node as Schema | undefined)?.[key], root);
}
