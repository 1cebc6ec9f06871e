import { follow, isNode, type Node, nodeAt } from "./documents.ts";

/** One error that an operation may answer with. */
export type ErrorRow = {
  /** The HTTP status, or whatever else the answers are listed by. */
  readonly key: string;
  /** What the body's `name` says. */
  readonly name: string;
  readonly schemaName: string | undefined;
  readonly schema: Node;
};

/** Every error among the answers: those whose body has a constant name. */
export function listErrorRows(document: Node, answers: Node): ErrorRow[] {
  return Object.entries(answers).flatMap(([key, answer]) =>
    errorSchemasOf(document, isNode(answer) ? answer : {}).map((row) => Object.assign(row, { key })),
  );
}

/** The errors of one answer: that of its schema, or those of each branch. */
export function errorSchemasOf(document: Node, answer: Node): Omit<ErrorRow, "key">[] {
  const json = nodeAt(nodeAt(follow(document, answer).node, "content"), "application/json");
  const schema = nodeAt(json, "schema");
  const branches = [schema["anyOf"], schema["oneOf"]].find(Array.isArray) ?? [schema];
  return branches.filter(isNode).flatMap((branch) => {
    const { node, name: schemaName } = follow(document, branch);
    const name = nodeAt(nodeAt(node, "properties"), "name")["const"];
    return typeof name === "string" ? [{ name, schemaName, schema: branch }] : [];
  });
}
