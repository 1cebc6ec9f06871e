import {
  type Contract,
  type Reference,
  type Response,
  listOperations,
  resolve,
} from "../../openapi/scripts/contract.ts";
import { forMock } from "./for-mock.ts";

/** An example in the contract, and how to request it from Prism. */
type Preference = {
  /** The operationIds that have it; undefined if all have it. */
  readonly operations: readonly string[] | undefined;
  /** The value of the `Prefer` header. */
  readonly prefer: string;
  readonly status: number;
  /** The error's name; undefined for a success. */
  readonly name: string | undefined;
  readonly summary: string;
};

type Shown = { readonly summary: string; readonly value: { readonly name?: string } };

type Answer = Response | Reference;

/** Every example of every operation, without duplicates. */
export function listPreferences(whole: Contract): readonly Preference[] {
  const contract = forMock(whole);
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
  // First the examples of one operation, then the examples of several or all operations.
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
