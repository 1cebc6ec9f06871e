import { type Change, changeAt } from "./change.ts";
import { compareMembers } from "./compare-members.ts";
import { type Documents, isSame, keysOf, type Node, nodeAt, PROSE } from "./documents.ts";
import { explain, judge, LIMITS } from "./limits.ts";
import { definitionAt, elementOf, memberOf, type Place } from "./place.ts";
import { flatten, typesOf, valuesOf, viewSchema } from "./schema-view.ts";

/** Maps each keyword without its own comparison to the comparison that covers it. */
const TOGETHER: Readonly<Record<string, string>> = { enum: "values", const: "values", required: "properties" };

/** Compares the schemas at a location. A missing schema allows any value. */
export function compareSchemas(documents: Documents, place: Place, before: Node, after: Node): Change[] {
  const was = viewSchema(documents.before, before);
  const is = viewSchema(documents.after, after);
  const { name } = was;
  if (name === undefined || name !== is.name) {
    const renamed = name === undefined ? [] : [nameChange(place, name, is.name)];
    return [...renamed, ...compareKeywords(documents, place, flatten(was), flatten(is))];
  }
  const types = (mayBeNull: boolean): readonly string[] => (mayBeNull ? ["value", "null"] : ["value"]);
  const here = [
    ...compareLimit(place, "type", types(was.mayBeNull), types(is.mayBeNull)),
    ...compareKeywords(documents, place, was.beside, is.beside),
  ];
  if (place.within.includes(name)) return here;
  return [...here, ...compareKeywords(documents, definitionAt(place, name), was.target, is.target)];
}

function nameChange(place: Place, was: string, is: string | undefined): Change {
  const why = `A generated client names a type ${was} here; programs that use that name no longer compile.`;
  return changeAt(place, { what: "schema name", verdict: "breaking", was, is, why });
}

function compareKeywords(documents: Documents, place: Place, was: Node, is: Node): Change[] {
  const keys = new Set(keysOf(was, is).map((key) => TOGETHER[key] ?? key));
  return [...keys].flatMap((key) => compareKeyword(documents, place, key, was, is));
}

function compareKeyword(documents: Documents, place: Place, key: string, was: Node, is: Node): Change[] {
  switch (key) {
    case "type":
      return compareLimit(place, key, typesOf(was), typesOf(is));
    case "values":
      return compareLimit(place, key, valuesOf(was), valuesOf(is));
    case "properties":
      return compareMembers(place, was, is, (member, a, b) => compareSchemas(documents, member, a, b));
    case "items":
      return compareSchemas(documents, elementOf(place), nodeAt(was, key), nodeAt(is, key));
    case "x-alias":
      return compareAlias(place, was[key], is[key]);
    case "x-enum-varnames":
      return compareNames(place, was, is);
    default:
      return LIMITS[key] === undefined
        ? compareOther(documents, place, key, was[key], is[key])
        : compareLimit(place, key, was[key], is[key]);
  }
}

/** Compares a keyword of {@link LIMITS}. */
export function compareLimit(place: Place, what: string, was: unknown, is: unknown): Change[] {
  const limit = LIMITS[what];
  const effect = limit?.effect(was, is);
  if (limit === undefined || effect === undefined) return [];
  const why = explain(place.direction, place.value, limit, was, is);
  return [changeAt(place, { what, verdict: judge(place.direction, effect), was, is, why })];
}

function compareAlias(place: Place, was: unknown, is: unknown): Change[] {
  if (was === is) return [];
  const isNew = was === undefined;
  const why = isNew
    ? "Clients may now use a second spelling."
    : `The service ignores ${JSON.stringify(was)} from clients that send it.`;
  return [changeAt(place, { what: "x-alias", verdict: isNew ? "additive" : "breaking", was, is, why })];
}

/** Compares a keyword that is unknown or contains prose. */
export function compareOther(documents: Documents, place: Place, what: string, was: unknown, is: unknown): Change[] {
  if (PROSE.has(what)) return compareProse(place, what, was, is);
  if (isSame(documents, was, is)) return [];
  if (what === "deprecated" && is === true) {
    return [changeAt(place, { what, verdict: "additive", was, is, why: "Still supported, but will be removed." })];
  }
  if (what === "x-stability") {
    const [verdict, can] =
      is === undefined ? (["additive", "can now"] as const) : (["breaking", "can no longer"] as const);
    return [changeAt(place, { what, verdict, was, is, why: `A client ${can} rely on ${place.value}.` })];
  }
  const why = `The check doesn't know how ${what} affects clients, so it treats every change to it as breaking.`;
  return [changeAt(place, { what, verdict: "breaking", was, is, why })];
}

/** Compares prose and reports the innermost differences. */
export function compareProse(place: Place, what: string, was: unknown, is: unknown): Change[] {
  if (isBranch(was) && isBranch(is)) {
    const inside = memberOf(place, what);
    return keysOf(was, is).flatMap((key) => compareProse(inside, key, was[key], is[key]));
  }
  if (JSON.stringify(was) === JSON.stringify(is)) return [];
  return [changeAt(place, { what, verdict: "prose", was, is, why: "Only human-readable text changed." })];
}

function isBranch(value: unknown): value is Node {
  return typeof value === "object" && value !== null;
}

/** Compares the names that generated clients use for an enum's values, regardless of their order. */
function compareNames(place: Place, was: Node, is: Node): Change[] {
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

/** Maps each value, as text, to its name or undefined. */
function namesOf(schema: Node): ReadonlyMap<string, string | undefined> {
  const names = schema["x-enum-varnames"];
  const values = valuesOf(schema) ?? [];
  return new Map(
    values.map((value, index) => [String(value), Array.isArray(names) ? String(names[index]) : undefined]),
  );
}
