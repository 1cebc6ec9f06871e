import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript";
import { bundle } from "./bundle.ts";
import type { Contract } from "./contract.ts";
import { forGenerators, forServing } from "./for-generators.ts";
import { renderOperations } from "./operations-source.ts";
import { readRequiredMembers } from "./required-members.ts";

const HEADER = "// Generated from the contract by `npm run generate`: change the files in openapi/, not this one.\n\n";

/** Renders all generated files, by name. The same contract gives the same bytes. */
export async function renderOutputs(): Promise<Map<string, string>> {
  const contract = await bundle();
  const generators = forGenerators(contract, readRequiredMembers());
  return new Map([
    ["openapi.json", renderJson(contract)],
    ["openapi.served.json", renderJson(forServing(contract))],
    ["openapi.generators.json", renderJson(generators)],
    ["types.ts", HEADER + (await renderTypes(contract))],
    // The types of our own clients.
    ["types.generators.ts", HEADER + (await renderTypes(generators))],
    ["operations.ts", HEADER + renderOperations(contract)],
  ]);
}

async function renderTypes(contract: Contract): Promise<string> {
  // It modifies its argument, so pass a copy.
  const document = structuredClone(contract) as unknown as OpenAPI3;
  // Otherwise, an option with a default in its schema would be required in the types.
  return astToString(await openapiTS(document, { defaultNonNullable: false, silent: true }));
}

function renderJson(document: Contract): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}
