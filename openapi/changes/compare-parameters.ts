import { type Change, changeAt } from "./change.ts";
import { compareRequired } from "./compare-members.ts";
import { compareOther, compareSchemas } from "./compare-schemas.ts";
import { type Documents, follow, isNode, keysOf, type Node, nodeAt } from "./documents.ts";
import { memberOf, type Place } from "./place.ts";

/** Compares the parameters of an operation, in any order. */
export function compareParameters(documents: Documents, place: Place, was: Node, is: Node): Change[] {
  const before = parametersOf(documents.before, was);
  const after = parametersOf(documents.after, is);
  return [...new Set([...after.keys(), ...before.keys()])].flatMap((key) => {
    const parameter = memberOf(place, key);
    const old = before.get(key);
    const now = after.get(key);
    if (old === undefined || now === undefined) return [presence(parameter, now)];
    return keysOf(old, now).flatMap((keyword) => {
      if (keyword === "required") return compareRequired(parameter, old[keyword] === true, now[keyword] === true);
      if (keyword === "schema") {
        return compareSchemas(documents, parameter, nodeAt(old, keyword), nodeAt(now, keyword));
      }
      return compareOther(documents, parameter, keyword, old[keyword], now[keyword]);
    });
  });
}

/** Parameters by location and name, such as `query limit`. */
function parametersOf(document: Node, { parameters }: Node): ReadonlyMap<string, Node> {
  const list = Array.isArray(parameters) ? parameters.filter(isNode) : [];
  const nodes = list.map((parameter) => follow(document, parameter).node);
  return new Map(nodes.map((node) => [`${String(node["in"])} ${String(node["name"])}`, node]));
}

function presence(place: Place, now: Node | undefined): Change {
  const isAdditive = now !== undefined && now["required"] !== true;
  const why = isAdditive
    ? `A client may send ${place.value} now.`
    : now === undefined
      ? `The service ignores ${place.value} from clients that send it.`
      : `All existing clients leave out ${place.value}, and are refused now.`;
  const [was, is] = now === undefined ? [place.value, undefined] : [undefined, place.value];
  return changeAt(place, { what: "presence", verdict: isAdditive ? "additive" : "breaking", was, is, why });
}
