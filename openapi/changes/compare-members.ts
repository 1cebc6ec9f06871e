import { type Change, changeAt } from "./change.ts";
import { keysOf, type Node, nodeAt } from "./documents.ts";
import { memberOf, type Place } from "./place.ts";

/**
 * What differs in the members of an object, and in which of them have to be there.
 * @param compare Tells what differs in a member that both have.
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
    if (!isThere && Object.hasOwn(before, name)) return [removed(member, before[name])];
    return [
      ...compareRequired(member, requiredOf(was).includes(name), isRequired),
      ...compare(member, nodeAt(before, name), nodeAt(after, name)),
    ];
  });
}

function requiredOf({ required }: Node): readonly string[] {
  return Array.isArray(required) ? (required as readonly string[]) : [];
}

function added(place: Place, is: unknown, isRequired: boolean): Change {
  const breaks = place.direction === "request" && isRequired;
  return changeAt(place, {
    what: "presence",
    verdict: breaks ? "breaking" : "additive",
    was: undefined,
    is,
    why: breaks
      ? `Every client there is leaves ${place.value} out, and is refused now.`
      : place.direction === "request"
        ? `A client may send ${place.value} now.`
        : `A client gets ${place.value} as well; those that do not know it ignore it.`,
  });
}

function removed(place: Place, was: unknown): Change {
  const why =
    place.direction === "request"
      ? `A client that sends ${place.value} is not heard any more: unknown members are ignored.`
      : `A client that reads ${place.value} finds nothing.`;
  return changeAt(place, { what: "presence", verdict: "breaking", was, is: undefined, why });
}

/** What differs in whether something has to be there: a member, a header, a body. */
export function compareRequired(place: Place, was: boolean, is: boolean): Change[] {
  if (was === is) return [];
  const breaks = is === (place.direction === "request");
  const why =
    place.direction === "request"
      ? is
        ? `A client that leaves ${place.value} out is refused now.`
        : `A client may leave ${place.value} out now.`
      : is
        ? `A client can count on ${place.value} now.`
        : `A client that counts on ${place.value} may find nothing.`;
  return [changeAt(place, { what: "required", verdict: breaks ? "breaking" : "additive", was, is, why })];
}
