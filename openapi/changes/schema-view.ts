import { follow, isNode, type Node } from "./documents.ts";

/** A schema as it is used at a place. `anyOf` with null is another way to write a type that may be null. */
export type SchemaView = {
  /** The schema that it refers to by name. */
  readonly name?: string;
  /** What that schema says, or it itself when it has no name. */
  readonly target: Node;
  /** What is said beside the reference. */
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

/** Everything that holds at the place, in one schema. */
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

/** The types it allows; undefined when it allows all. */
export function typesOf({ type }: Node): readonly unknown[] | undefined {
  return type === undefined ? undefined : [type].flat();
}

/** The values that `enum` or `const` name; undefined when there is neither. */
export function valuesOf(schema: Node): readonly unknown[] | undefined {
  if (Object.hasOwn(schema, "const")) return [schema["const"]];
  return Array.isArray(schema["enum"]) ? schema["enum"] : undefined;
}
