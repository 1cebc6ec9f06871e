import contract from "@remote-browser/contract/openapi.json" with { type: "json" };
import type { OperationId } from "@remote-browser/contract/operations";
import {
  type Contract,
  type Response,
  examplesOf,
  listOperations,
  resolve,
} from "../../../openapi/scripts/contract.ts";
import { listFailures } from "../../../openapi/scripts/failures.ts";

const source = contract as unknown as Contract;

/** An error from one of the contract's examples. */
type ErrorExample = {
  /** The HTTP status. */
  readonly status: number;
  /** The example's key, which Prism accepts in the `Prefer` header. */
  readonly example: string;
  readonly body: ErrorBody;
};

type ErrorBody = { readonly name: string; readonly requestId: string };

type Shown = { readonly summary: string; readonly value: unknown };

/**
 * Returns the example of an error that an operation declares.
 * @param isTimed Whether to prefer the example with `Retry-After`.
 * @returns Undefined if the operation doesn't declare the error.
 */
export function findDeclared(
  name: string,
  operation: OperationId | undefined,
  isTimed: boolean,
): ErrorExample | undefined {
  return operation === undefined ? undefined : pick(responsesOf(operation), name, isTimed);
}

/** Returns an error's example from any operation. @throws {Error} If the contract declares no such error. */
export function findAnywhere(name: string, isTimed: boolean): ErrorExample {
  const ofOperations = listOperations(source).flatMap(({ operation }) => Object.values(operation.responses));
  const found = pick([...ofOperations, ...Object.values(source.components.responses)], name, isTimed);
  if (found === undefined) throw new Error(`The contract does not declare the error ${JSON.stringify(name)}.`);
  return found;
}

/** Returns the contract's example of an operation's successful response. */
export function findSuccess(operation: OperationId | undefined): unknown {
  const [success] = operation === undefined ? [] : responsesOf(operation);
  const [shown] = success === undefined ? [] : Object.values(examplesOf(resolve(source, success)));
  return shown?.value ?? { status: 200 };
}

function responsesOf(id: OperationId): (Response | { readonly $ref: string })[] {
  const placed = listOperations(source).find(({ operation }) => operation.operationId === id);
  return Object.values(placed?.operation.responses ?? {});
}

function pick(
  responses: readonly (Response | { readonly $ref: string })[],
  name: string,
  isTimed: boolean,
): ErrorExample | undefined {
  const status = listFailures(source).find((failure) => failure.name === name)?.httpStatus;
  const shown = responses
    .flatMap((each) => Object.entries(examplesOf(resolve(source, each))))
    .map(([example, each]) => ({ example, ...(each as Shown) }))
    .filter(({ value }) => (value as Partial<ErrorBody>).name === name);
  const [first] = shown.toSorted((a, b) => misfit(a, isTimed) - misfit(b, isTimed));
  if (status === undefined || first === undefined) return undefined;
  return { status, example: first.example, body: first.value as ErrorBody };
}

/** The examples' summaries state which errors have `Retry-After`. */
function misfit({ summary }: Shown, isTimed: boolean): number {
  return summary.includes(isTimed ? "without `Retry-After`" : "with `Retry-After`") ? 1 : 0;
}
