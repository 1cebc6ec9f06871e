import type { Contract } from "./contract.ts";
import { listFailures } from "./failures.ts";
import { toOperationTable } from "./operation-table.ts";

/** Renders `operations.ts`, without its heading. */
export function renderOperations(contract: Contract): string {
  const failureStatus = Object.fromEntries(listFailures(contract).map(({ name, httpStatus }) => [name, httpStatus]));
  return `/** Every operation of the contract by its operationId. Body sizes are in bytes, null where there is no body. */
export const operations = ${renderLiteral(toOperationTable(contract))} as const;

export type OperationId = keyof typeof operations;

/** Every error name of the contract with its HTTP status. */
export const failureStatus = ${renderLiteral(failureStatus)} as const;

export type FailureName = keyof typeof failureStatus;
`;
}

/** Renders a value as TypeScript, with unquoted keys and trailing commas. */
function renderLiteral(value: object): string {
  return JSON.stringify(value, null, 2)
    .replaceAll(/^( *)"(\w+)":/gm, "$1$2:")
    .replaceAll(/(["\]}\w])$(?=\n *[\]}])/gm, "$1,");
}
