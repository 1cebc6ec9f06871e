import {
  type Contract,
  type Reference,
  type Response,
  listOperations,
  resolve,
} from "../../openapi/scripts/contract.ts";

/** An example of the contract, and how Prism is asked for it. */
export type Preference = {
  /** The operationIds that have it; undefined: all. */
  readonly operations: readonly string[] | undefined;
  /** What the header `Prefer` says. */
  readonly prefer: string;
  readonly status: number;
  /** Of the error; undefined for a success. */
  readonly name: string | undefined;
  readonly summary: string;
};

type Shown = { readonly summary: string; readonly value: { readonly name?: string } };

type Answer = Response | Reference;

/** Every example of every operation; those that operations share stand once. */
export function listPreferences(contract: Contract): readonly Preference[] {
  const placed = listOperations(contract).flatMap(({ operation }) =>
    Object.entries(operation.responses).map(([status, answer]) => ({ id: operation.operationId, status, answer })),
  );
  const keyOf = ({ id, status, answer }: (typeof placed)[number]): string =>
    "$ref" in answer ? answer.$ref : `${id} ${status}`;
  const groups = Map.groupBy(placed, keyOf);
  const all = listOperations(contract).length;
  const found = [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const operations = group.length === all ? undefined : group.map(({ id }) => id);
    return toPreferences(contract, first.answer, first.status, operations);
  });
  // Those of one operation first, each beside its own; then what many or all have.
  return found.toSorted((a, b) => (a.operations?.length ?? all) - (b.operations?.length ?? all));
}

function toPreferences(
  contract: Contract,
  answer: Answer,
  status: string,
  operations: readonly string[] | undefined,
): Preference[] {
  const examples = resolve(contract, answer).content["application/json"].examples;
  return Object.entries(examples).map(([example, shown]) => {
    const { summary, value } = shown as Shown;
    return {
      operations,
      prefer: `code=${status}, example=${example}`,
      status: Number(status),
      name: value.name,
      summary,
    };
  });
}
