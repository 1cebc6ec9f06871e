import { type Change, changeAt } from "./change.ts";
import type { Node } from "./documents.ts";
import { memberOf, type Place } from "./place.ts";
import { valuesOf } from "./schema-view.ts";

/** What differs in the names that generated clients have for an enum's values, whatever order they stand in. */
export function compareNames(place: Place, was: Node, is: Node): Change[] {
  const before = namesOf(was);
  const after = namesOf(is);
  return [...before].flatMap(([value, name]) => {
    const newName = after.get(value);
    if (newName === name || !after.has(value)) return [];
    const why = `A generated client has a constant named after ${name ?? value}; programs that use it do not compile any more.`;
    const what = "x-enum-varnames";
    return [changeAt(memberOf(place, value), { what, verdict: "breaking", was: name, is: newName, why })];
  });
}

/** Every value, as text, with its name; undefined where it has none. */
function namesOf(schema: Node): ReadonlyMap<string, string | undefined> {
  const names = schema["x-enum-varnames"];
  const values = valuesOf(schema) ?? [];
  return new Map(
    values.map((value, index) => [String(value), Array.isArray(names) ? String(names[index]) : undefined]),
  );
}
