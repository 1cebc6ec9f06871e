import { allowInPreview, type Change, changeAt, presenceAt } from "./change.ts";
import { compareOperation } from "./compare-operations.ts";
import { compareOther } from "./compare-schemas.ts";
import { type Documents, isNode, keysOf, type Node, nodeAt } from "./documents.ts";
import { type Place, placeOf } from "./place.ts";

const METHODS: ReadonlySet<string> = new Set(["get", "put", "post", "delete", "options", "head", "patch", "trace"]);

/** Compares two contracts' operations, with their paths and methods. */
export function comparePaths(documents: Documents): Change[] {
  const now = listOperationRows(documents.after);
  const old = listOperationRows(documents.before);
  const pairs = old.map((row) => ({ row, match: findMatch(row, now) }));
  const known = new Set(pairs.map(({ match }) => match));
  return [
    ...pairs.flatMap(({ row, match }) => {
      const moved = row.address === match?.address ? [] : [match === undefined ? removed(row) : movedTo(row, match)];
      const changed = match && compareOperation(documents, row.id, row.operation, match.operation);
      return allowInPreview(row.operation, [...moved, ...(changed ?? [])]);
    }),
    ...now.filter((row) => !known.has(row)).map(added),
    ...comparePathItems(documents),
  ];
}

/** Finds the operation with the same path and method or, failing that, with the same name. */
function findMatch({ address, id }: OperationRow, rows: readonly OperationRow[]): OperationRow | undefined {
  return rows.find((row) => row.address === address) ?? rows.find((row) => row.id === id);
}

function placeOfRow({ id }: OperationRow): Place {
  return placeOf(id, { direction: "request", group: "operations", operation: id });
}

function removed(row: OperationRow): Change {
  const why = `A client that calls ${row.id} gets 404.`;
  return presenceAt(placeOfRow(row), row.address, { isThere: false, verdict: "breaking", why });
}

function movedTo(row: OperationRow, { address }: OperationRow): Change {
  const why = `A client that calls ${row.id} at its old address gets 404 or 405.`;
  return changeAt(placeOfRow(row), { what: "address", verdict: "breaking", was: row.address, is: address, why });
}

function added(row: OperationRow): Change {
  const why = `A client may now call ${row.id}.`;
  return presenceAt(placeOfRow(row), row.address, { isThere: true, verdict: "additive", why });
}

function comparePathItems(documents: Documents): Change[] {
  const [before, after] = [listPathItems(documents.before), listPathItems(documents.after)];
  return keysOf(before, after).flatMap((path) => {
    const [was, is] = [before[path] ?? {}, after[path] ?? {}];
    const place = placeOf(path, { direction: "request", group: "operations" });
    return keysOf(was, is).flatMap((key) => compareOther(documents, place, key, was[key], is[key]));
  });
}

/** An operation with its method and path. */
type OperationRow = { readonly id: string; readonly address: string; readonly operation: Node };

/** Lists a contract's operations. An operation without a name is identified by its method and path. */
function listOperationRows(document: Node): OperationRow[] {
  return Object.entries(nodeAt(document, "paths")).flatMap(([path, item]) =>
    Object.entries(isNode(item) ? item : {}).flatMap(([method, operation]) => {
      if (!METHODS.has(method) || !isNode(operation)) return [];
      const address = `${method.toUpperCase()} ${path}`;
      const { operationId } = operation;
      return [{ id: typeof operationId === "string" ? operationId : address, address, operation }];
    }),
  );
}

/** Returns the members of each path except its operations. */
function listPathItems(document: Node): Readonly<Record<string, Node>> {
  const items = Object.entries(nodeAt(document, "paths")).map(([path, item]) => {
    const beside = Object.entries(isNode(item) ? item : {}).filter(([key]) => !METHODS.has(key));
    return [path, Object.fromEntries(beside)] as const;
  });
  return Object.fromEntries(items);
}
