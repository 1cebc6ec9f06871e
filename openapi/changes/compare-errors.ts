import { type Change, changeAt } from "./change.ts";
import { compareSchemas } from "./compare-schemas.ts";
import type { Documents, Node } from "./documents.ts";
import { type ErrorRow, listErrorRows } from "./error-rows.ts";
import { memberOf, type Place } from "./place.ts";

/**
 * What differs in the errors that an operation may answer with. A new one is additive, under whatever status: clients
 * decide by names, and show one that they do not know as it came.
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

/** The same error: by its name under its status, then by its name, then by its schema's name under its status. */
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
  const why = `A client that waits for ${name} does not get it any more.`;
  return changeAt(memberOf(place, name), { what: "presence", verdict: "breaking", was: key, is: undefined, why });
}

function movedTo(place: Place, { name, key }: ErrorRow, match: ErrorRow): Change {
  const why = `A client that knows ${name} by its status ${key} does not recognise it.`;
  return changeAt(memberOf(place, name), { what: "status", verdict: "breaking", was: key, is: match.key, why });
}

function added(place: Place, { name, key }: ErrorRow): Change {
  const why = "A client that does not know the name shows it as it came.";
  return changeAt(memberOf(place, name), { what: "presence", verdict: "additive", was: undefined, is: key, why });
}
