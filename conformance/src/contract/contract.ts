import contract from "@remote-browser/contract/openapi.json" with { type: "json" };
import { type OperationId, operations } from "@remote-browser/contract/operations";

export { contract };

export type DeclaredResponse = {
  /** JSON Pointer of the response, after its `$ref` if it has one. */
  readonly pointer: string;
  readonly headers: Readonly<Record<string, DeclaredHeader>>;
};

export type DeclaredHeader = { readonly required: boolean; readonly pointer: string };

type Node = { readonly [key: string]: Node };

/** @throws {Error} When nothing stands there. */
export function at(pointer: string): unknown {
  const keys = pointer.replace(/^#\//, "").split("/");
  return keys.reduce<unknown>((node, key) => {
    const name = key.replaceAll("~1", "/").replaceAll("~0", "~");
    const next = (node as Node | undefined)?.[name];
    if (next === undefined) throw new Error(`The contract has nothing at ${pointer}.`);
    return next;
  }, contract);
}

/** The pointer itself, or where its `$ref` leads. */
export function resolve(pointer: string): string {
  const node = at(pointer) as { readonly $ref?: string };
  return node.$ref ?? pointer;
}

function operationPointer(id: OperationId): string {
  const { path, method } = operations[id];
  return `#/paths/${path.replaceAll("/", "~1")}/${method}`;
}

/**
 * What the contract declares for an answer.
 * @param id The operation; undefined for a path or method that none has.
 */
export function declaredResponse(id: OperationId | undefined, status: number): DeclaredResponse | undefined {
  const pointer = responsePointer(id, status);
  if (pointer === undefined) return undefined;
  const { headers = {} } = at(pointer) as { headers?: Readonly<Record<string, unknown>> };
  return {
    pointer,
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

/** The operations that carry a rule's id; none for what is about all of them. */
export function operationsWith(rule: string): readonly OperationId[] {
  return (Object.keys(operations) as OperationId[]).filter((id) => {
    const { "x-rules": rules = [] } = at(operationPointer(id)) as { "x-rules"?: readonly string[] };
    return rules.includes(rule);
  });
}
