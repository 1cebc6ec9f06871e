import { follow, isNode, type Node, nodeAt } from "./documents.ts";

/** An error in the responses of an operation. */
export type ErrorRow = {
  /** The key of the response, usually the HTTP status. */
  readonly key: string;
  /** The constant `name` in the body. */
  readonly name: string;
  readonly schemaName: string | undefined;
  readonly schema: Node;
};

/** All errors in the responses, which have a constant name in the body. */
export function listErrorRows(document: Node, answers: Node): ErrorRow[] {
  return Object.entries(answers).flatMap(([key, answer]) =>
    errorSchemasOf(document, isNode(answer) ? answer : {}).map((row) => Object.assign(row, { key })),
  );
}

/** The errors of a response: the error of its schema, or the errors of each branch. */
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
