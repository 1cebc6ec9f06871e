import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript";
import { bundle } from "./bundle.ts";
import type { Contract } from "./contract.ts";
import { listFailures } from "./failures.ts";
import { toOperationTable } from "./operation-table.ts";

const HEADER = "// Generated from the contract by `npm run generate`: change the files in openapi/, not this one.\n\n";

/** Renders all generated files, by name. The output is deterministic. */
export async function renderOutputs(): Promise<Map<string, string>> {
  const contract = await bundle();
  return new Map([
    ["openapi.json", renderJson(contract)],
    ["types.ts", await renderTypes(contract)],
    ["operations.ts", HEADER + renderOperations(contract)],
  ]);
}

/** Renders the contract's TypeScript types. */
export async function renderTypes(contract: Contract): Promise<string> {
  // Pass a copy, because openapiTS modifies its argument.
  const document = structuredClone(contract) as unknown as OpenAPI3;
  // By default, openapiTS makes options with a default value required.
  return HEADER + astToString(await openapiTS(document, { defaultNonNullable: false, silent: true }));
}

function renderJson(document: Contract): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** Renders `operations.ts`, without its heading. */
function renderOperations(contract: Contract): string {
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
