import { type Change, changeAt } from "./change.ts";
import { compareSchemas } from "./compare-schemas.ts";
import type { Documents, Node } from "./documents.ts";
import { type ErrorRow, listErrorRows } from "./error-rows.ts";
import { memberOf, type Place } from "./place.ts";

/**
 * Compares the errors of an operation. A new one is additive, whatever its status: clients check names, and report
 * unknown errors unchanged.
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
  const why = `A client that expects ${name} no longer gets it.`;
  return changeAt(memberOf(place, name), { what: "presence", verdict: "breaking", was: key, is: undefined, why });
}

function movedTo(place: Place, { name, key }: ErrorRow, match: ErrorRow): Change {
  const why = `A client that recognizes ${name} by its status ${key} no longer does.`;
  return changeAt(memberOf(place, name), { what: "status", verdict: "breaking", was: key, is: match.key, why });
}

function added(place: Place, { name, key }: ErrorRow): Change {
  const why = "A client that does not know the name reports the error unchanged.";
  return changeAt(memberOf(place, name), { what: "presence", verdict: "additive", was: undefined, is: key, why });
}
