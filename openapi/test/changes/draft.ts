import { isNode, type Node } from "../../changes/documents.ts";
import type { Verdict } from "../../changes/change.ts";

export type Json = Record<string, unknown>;

/** A mutable contract. */
export class Draft {
  readonly contract: Json;

  constructor(contract: Node) {
    this.contract = structuredClone(contract);
  }

  /** Returns the object at a path of keys. */
  at(...keys: readonly (string | number)[]): Json {
    let node: unknown = this.contract;
    for (const key of keys) node = (node as Json)[key];
    if (!isNode(node)) throw new Error(`Nothing to change at ${keys.join(" → ")}.`);
    return node;
  }

  schema(name: string): Json {
    return this.at("components", "schemas", name);
  }

  member(schema: string, name: string): Json {
    return this.at("components", "schemas", schema, "properties", name);
  }

  operation(path: string): Json {
    const methods = this.at("paths", `/api/v1/${path}`);
    return (methods["post"] ?? methods["get"]) as Json;
  }

  answers(path: string): Json {
    return this.operation(path)["responses"] as Json;
  }
}

/** A mutation of the contract, its expected verdict, and the expected beginning of its identifier. */
export type Mutation = readonly [does: string, mutate: (draft: Draft) => void, verdict: Verdict, id: string];

/** Sets keywords of a schema, or of a member such as `OpenOptions.Label`. Undefined removes a keyword. */
export function set(place: string, values: Json) {
  const [schema = "", member] = place.split(".");
  return (draft: Draft): void =>
    assign(member === undefined ? draft.schema(schema) : draft.member(schema, member), values);
}

/** Sets members of a schema. */
export function setMembers(schema: string, members: Json) {
  return (draft: Draft): void => assign(draft.at("components", "schemas", schema, "properties"), members);
}

/** Sets keywords on the operation at a path. */
export function setOperation(path: string, values: Json) {
  return (draft: Draft): void => assign(draft.operation(path), values);
}

/** Sets responses of the operation at a path. */
export function setAnswers(path: string, answers: Json) {
  return (draft: Draft): void => assign(draft.answers(path), answers);
}

function assign(target: Json, values: Json): void {
  for (const [key, value] of Object.entries(values)) {
    if (value === undefined) delete target[key];
    else target[key] = value;
  }
}
