import contract from "@remote-browser/contract/openapi.json" with { type: "json" };
import { type OperationId, operations } from "@remote-browser/contract/operations";

export { contract };

type DeclaredResponse = {
  /** JSON Pointer to the response, with its `$ref` resolved. */
  readonly pointer: string;
  readonly mediaTypes: readonly string[];
  readonly headers: Readonly<Record<string, DeclaredHeader>>;
};

type DeclaredHeader = { readonly required: boolean; readonly pointer: string };

type Node = { readonly [key: string]: Node };

/** @throws {Error} If the contract has no value at this pointer. */
export function at(pointer: string): unknown {
  const keys = pointer.replace(/^#\//, "").split("/");
  return keys.reduce<unknown>((node, key) => {
    const name = key.replaceAll("~1", "/").replaceAll("~0", "~");
    const next = (node as Node | undefined)?.[name];
    if (next === undefined) throw new Error(`The contract has no value at ${pointer}.`);
    return next;
  }, contract);
}

/** Follows the `$ref` at a pointer. Returns the pointer unchanged if there is no `$ref`. */
function resolve(pointer: string): string {
  const node = at(pointer) as { readonly $ref?: string };
  return node.$ref ?? pointer;
}

function operationPointer(id: OperationId): string {
  const { path, method } = operations[id];
  return `#/paths/${path.replaceAll("/", "~1")}/${method}`;
}

/** Returns the contract's declaration of a response. @param id Undefined for a path or method without an operation. */
export function declaredResponse(id: OperationId | undefined, status: number): DeclaredResponse | undefined {
  const pointer = responsePointer(id, status);
  if (pointer === undefined) return undefined;
  type Response = { readonly headers?: object; readonly content?: object };
  const { headers = {}, content = {} } = at(pointer) as Response;
  return {
    pointer,
    mediaTypes: Object.keys(content),
    headers: Object.fromEntries(
      Object.keys(headers).map((name) => {
        const header = resolve(`${pointer}/headers/${name}`);
        return [name.toLowerCase(), { pointer: header, required: at(`${header}/required`) === true }];
      }),
    ),
  };
}

function responsePointer(id: OperationId | undefined, status: number): string | undefined {
  if (id === undefined) {
    const name = { 404: "NotFound", 405: "MethodNotAllowed" }[status];
    return name === undefined ? undefined : resolve(`#/x-answers-of-other-requests/${name}`);
  }
  const pointer = operationPointer(id);
  const { responses } = at(pointer) as { responses: Readonly<Record<string, unknown>> };
  return responses[status] === undefined ? undefined : resolve(`${pointer}/responses/${status}`);
}

/** The location of a quote, and the responses and members that a rule covers. */
type Quoted = { readonly at: string; readonly covers?: readonly string[] };

/**
 * Returns the operations whose responses a rule covers or whose description contains the rule's sentence. Empty if the
 * rule concerns all operations or, like most sentences in the introduction, no specific operation.
 */
export function operationsOf({ at: place, covers = [] }: Quoted): readonly OperationId[] {
  const ids = Object.keys(operations) as OperationId[];
  const component = /^#\/components\/[^/]+\/[^/]+/.exec(place)?.[0];
  const about = ids.filter((id) => {
    const pointer = operationPointer(id);
    const isPlace = component === undefined ? place.startsWith(pointer) : referencesOf(pointer).has(component);
    return isPlace || covers.some((each) => each.startsWith(`${id} `));
  });
  return about.length === ids.length ? [] : about;
}

/** Collects the components that an operation refers to, directly or through other components. */
function referencesOf(pointer: string, found = new Set<string>()): ReadonlySet<string> {
  for (const [, reference = ""] of JSON.stringify(at(pointer)).matchAll(/"\$ref":"([^"]+)"/g)) {
    if (found.has(reference)) continue;
    found.add(reference);
    referencesOf(reference, found);
  }
  return found;
}
