import { type Change, changeAt, presenceAt } from "./change.ts";
import { compareSchemas } from "./compare-schemas.ts";
import { type Documents, follow, isNode, type Node, nodeAt } from "./documents.ts";
import { memberOf, type Place } from "./place.ts";

/**
 * Compares an operation's errors. A new error is additive, regardless of its status, because clients check names and
 * report unknown errors unchanged.
 */
export function compareErrors(documents: Documents, place: Place, before: Node, after: Node): Change[] {
  const old = listErrorRows(documents.before, before);
  const now = listErrorRows(documents.after, after);
  const pairs = old.map((row) => ({ row, match: findMatch(row, now) }));
  const known = new Set(pairs.map(({ match }) => match));
  return [
    ...pairs.flatMap(({ row, match }) => {
      if (match === undefined) return [removed(place, row)];
      const moved = row.key === match.key ? [] : [movedTo(place, row, match)];
      return [...moved, ...compareSchemas(documents, memberOf(place, row.name), row.schema, match.schema)];
    }),
    ...now.filter((row) => !known.has(row)).map((row) => added(place, row)),
  ];
}

/** Finds the same error by name and status, then by name, then by schema name and status. */
function findMatch(row: ErrorRow, rows: readonly ErrorRow[]): ErrorRow | undefined {
  const namesakes = rows.filter(({ name }) => name === row.name);
  const isPlaced = ({ key }: ErrorRow): boolean => key === row.key;
  return (
    namesakes.find(isPlaced) ??
    namesakes[0] ??
    rows.find((other) => isPlaced(other) && other.schemaName !== undefined && other.schemaName === row.schemaName)
  );
}

function removed(place: Place, { name, key }: ErrorRow): Change {
  const why = `A client that expects ${name} no longer receives it.`;
  return presenceAt(memberOf(place, name), key, { isThere: false, verdict: "breaking", why });
}

function movedTo(place: Place, { name, key }: ErrorRow, match: ErrorRow): Change {
  const why = `A client that recognizes ${name} by its status ${key} no longer recognizes it.`;
  return changeAt(memberOf(place, name), { what: "status", verdict: "breaking", was: key, is: match.key, why });
}

function added(place: Place, { name, key }: ErrorRow): Change {
  const why = "A client that does not know the name reports the error unchanged.";
  return presenceAt(memberOf(place, name), key, { isThere: true, verdict: "additive", why });
}

/** An error in an operation's responses. */
type ErrorRow = {
  /** The key of the response, usually the HTTP status. */
  readonly key: string;
  /** The constant `name` in the body. */
  readonly name: string;
  readonly schemaName: string | undefined;
  readonly schema: Node;
};

/** Lists all errors in the responses. Errors are bodies with a constant `name`. */
function listErrorRows(document: Node, answers: Node): ErrorRow[] {
  return Object.entries(answers).flatMap(([key, answer]) =>
    errorSchemasOf(document, isNode(answer) ? answer : {}).map((row) => Object.assign(row, { key })),
  );
}

/** Lists a response's errors: the one in its schema, or one per branch. */
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
