import { readFileSync } from "node:fs";
import type { Contract } from "../../../openapi/scripts/contract.ts";
import { renderTypes } from "../../../openapi/scripts/outputs.ts";
import type { Language } from "../language.ts";
import { renderErrorClasses, renderErrors } from "./errors.ts";
import { renderOperations } from "./operations.ts";
import { renderOptions } from "./options.ts";

const MANIFEST = new URL("../../../clients/typescript/package.json", import.meta.url);

export const typescript: Language = {
  name: "typescript",
  render: async (contract) =>
    new Map([...renderOwn(contract), ["src/generated/types.ts", await renderTypes(contract)]]),
};

/** All files but the types, which openapi-typescript renders. */
export function renderOwn(contract: Contract): ReadonlyMap<string, string> {
  return new Map([
    ["src/generated/errors.ts", renderErrors(contract)],
    ["src/generated/error-classes.ts", renderErrorClasses(contract)],
    ["src/generated/operations.ts", renderOperations(contract)],
    ["src/generated/options.ts", renderOptions(contract)],
    ["src/generated/version.ts", renderVersion()],
  ]);
}

/** In a web browser, the package can't read its own manifest. */
function renderVersion(): string {
  const { version } = JSON.parse(readFileSync(MANIFEST, "utf8")) as { version: string };
  return `// Generated from package.json by \`npm run generate\`: change that file, not this one.\n\nexport const VERSION = ${JSON.stringify(version)};\n`;
}
