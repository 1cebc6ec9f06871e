import { allowInPreview, type Change, changeAt, presenceAt } from "./change.ts";
import { keysOf, type Node, nodeAt } from "./documents.ts";
import { memberOf, type Place } from "./place.ts";

/**
 * Compares an object's members and the list of required members.
 * @param compare Compares a member that both objects have.
 */
export function compareMembers(
  place: Place,
  was: Node,
  is: Node,
  compare: (member: Place, was: Node, is: Node) => readonly Change[],
): Change[] {
  const before = nodeAt(was, "properties");
  const after = nodeAt(is, "properties");
  return [...new Set([...keysOf(before, after), ...requiredOf(was), ...requiredOf(is)])].flatMap((name) => {
    const member = memberOf(place, name);
    const isThere = Object.hasOwn(after, name);
    const isRequired = requiredOf(is).includes(name);
    if (isThere && !Object.hasOwn(before, name)) return [added(member, after[name], isRequired)];
    if (!isThere && Object.hasOwn(before, name)) return allowInPreview(before[name], [removed(member, before[name])]);
    return allowInPreview(before[name], [
      ...compareRequired(member, requiredOf(was).includes(name), isRequired),
      ...compare(member, nodeAt(before, name), nodeAt(after, name)),
    ]);
  });
}

function requiredOf({ required }: Node): readonly string[] {
  return Array.isArray(required) ? (required as readonly string[]) : [];
}

function added(place: Place, is: unknown, isRequired: boolean): Change {
  const breaks = place.direction === "request" && isRequired;
  const why = breaks
    ? `Existing clients don't send ${place.value} and are now refused.`
    : place.direction === "request"
      ? `A client may now send ${place.value}.`
      : `A client also receives ${place.value}; clients that do not know it ignore it.`;
  return presenceAt(place, is, { isThere: true, verdict: breaks ? "breaking" : "additive", why });
}

function removed(place: Place, was: unknown): Change {
  const why =
    place.direction === "request"
      ? `The service ignores ${place.value} from clients that send it, like any unknown member.`
      : `A client that reads ${place.value} no longer finds it.`;
  return presenceAt(place, was, { isThere: false, verdict: "breaking", why });
}

/** Compares whether a member, header or body is required. */
export function compareRequired(place: Place, was: boolean, is: boolean): Change[] {
  if (was === is) return [];
  const breaks = is === (place.direction === "request");
  const why =
    place.direction === "request"
      ? is
        ? `A client that leaves ${place.value} out is now refused.`
        : `A client may now omit ${place.value}.`
      : is
        ? `A client can rely on ${place.value} now.`
        : `A client that relies on ${place.value} may not find it.`;
  return [changeAt(place, { what: "required", verdict: breaks ? "breaking" : "additive", was, is, why })];
}
