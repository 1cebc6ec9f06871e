import { isNode, type Node, nodeAt } from "./documents.ts";

const METHODS: ReadonlySet<string> = new Set(["get", "put", "post", "delete", "options", "head", "patch", "trace"]);

/** An operation with its method and path. */
export type OperationRow = { readonly id: string; readonly address: string; readonly operation: Node };

/** All operations of a contract. One without a name is identified by method and path. */
export function listOperationRows(document: Node): OperationRow[] {
  return Object.entries(nodeAt(document, "paths")).flatMap(([path, item]) =>
    Object.entries(isNode(item) ? item : {}).flatMap(([method, operation]) => {
      if (!METHODS.has(method) || !isNode(operation)) return [];
      const address = `${method.toUpperCase()} ${path}`;
      const { operationId } = operation;
      return [{ id: typeof operationId === "string" ? operationId : address, address, operation }];
    }),
  );
}

/** The members of a path other than its operations. */
export function listPathItems(document: Node): Readonly<Record<string, Node>> {
  const items = Object.entries(nodeAt(document, "paths")).map(([path, item]) => {
    const beside = Object.entries(isNode(item) ? item : {}).filter(([key]) => !METHODS.has(key));
    return [path, Object.fromEntries(beside)] as const;
  });
  return Object.fromEntries(items);
}
