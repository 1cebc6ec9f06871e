import { type Change, changeAt } from "./change.ts";
import type { Node } from "./documents.ts";
import { memberOf, type Place } from "./place.ts";
import { valuesOf } from "./schema-view.ts";

/** Compares the names of an enum's values in generated clients, in any order. */
export function compareNames(place: Place, was: Node, is: Node): Change[] {
  const before = namesOf(was);
  const after = namesOf(is);
  return [...before].flatMap(([value, name]) => {
    const newName = after.get(value);
    if (newName === name || !after.has(value)) return [];
    const why = `A generated client has a constant named after ${name ?? value}; programs that use it no longer compile.`;
    const what = "x-enum-varnames";
    return [changeAt(memberOf(place, value), { what, verdict: "breaking", was: name, is: newName, why })];
  });
}

/** The name of each value, by the value as text; undefined if it has no name. */
function namesOf(schema: Node): ReadonlyMap<string, string | undefined> {
  const names = schema["x-enum-varnames"];
  const values = valuesOf(schema) ?? [];
  return new Map(
    values.map((value, index) => [String(value), Array.isArray(names) ? String(names[index]) : undefined]),
  );
}
