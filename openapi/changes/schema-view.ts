import { follow, isNode, type Node } from "./documents.ts";

/** A schema at a location. `anyOf` with null counts as a nullable type. */
type SchemaView = {
  /** The name of the referenced schema. */
  readonly name?: string;
  /** The referenced schema, or the schema itself if it isn't a reference. */
  readonly target: Node;
  /** The keywords next to `$ref`. */
  readonly beside: Node;
  readonly mayBeNull: boolean;
};

export function viewSchema(document: Node, schema: Node): SchemaView {
  const { $ref: _ref, ...aside } = schema;
  const { node, name } = follow(document, schema);
  if (name !== undefined) return { name, target: node, beside: aside, mayBeNull: false };
  const { anyOf, ...beside } = schema;
  const branch = branchBesideNull(anyOf);
  if (branch === undefined) return { target: schema, beside: {}, mayBeNull: false };
  const inner = viewSchema(document, branch);
  return { ...inner, beside: { ...inner.beside, ...beside }, mayBeNull: true };
}

function branchBesideNull(anyOf: unknown): Node | undefined {
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return undefined;
  const branches = anyOf.filter(isNode).filter(({ type }) => type !== "null");
  return branches.length === 1 ? branches[0] : undefined;
}

/** Merges all keywords of a view into one schema. */
export function flatten({ target, beside, mayBeNull }: SchemaView): Node {
  const flat: Node = { ...target, ...beside };
  if (!mayBeNull) return flat;
  const values = valuesOf(flat);
  return {
    ...flat,
    type: [...(typesOf(flat) ?? []), "null"],
    ...(values === undefined ? {} : { enum: [...values, null] }),
  };
}

/** Returns the allowed types; undefined if all are allowed. */
export function typesOf({ type }: Node): readonly unknown[] | undefined {
  return type === undefined ? undefined : [type].flat();
}

/** Returns the values of `enum` or `const`; undefined without these keywords. */
export function valuesOf(schema: Node): readonly unknown[] | undefined {
  if (Object.hasOwn(schema, "const")) return [schema["const"]];
  return Array.isArray(schema["enum"]) ? schema["enum"] : undefined;
}
