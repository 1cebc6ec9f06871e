import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript";
import { bundle } from "./bundle.ts";
import type { Contract } from "./contract.ts";
import { renderOperations } from "./operations-source.ts";

const HEADER = "// Generated from the contract by `npm run generate`: change the files in openapi/, not this one.\n\n";

/** Renders all generated files, by name. The same contract gives the same bytes. */
export async function renderOutputs(): Promise<Map<string, string>> {
  const contract = await bundle();
  return new Map([
    ["openapi.json", renderJson(contract)],
    ["types.ts", await renderTypes(contract)],
    ["operations.ts", HEADER + renderOperations(contract)],
  ]);
}

/** The TypeScript types of a contract. */
export async function renderTypes(contract: Contract): Promise<string> {
  // It modifies its argument, so pass a copy.
  const document = structuredClone(contract) as unknown as OpenAPI3;
  // Otherwise, an option with a default in its schema would be required in the types.
  return HEADER + astToString(await openapiTS(document, { defaultNonNullable: false, silent: true }));
}

function renderJson(document: Contract): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}
