import { readFileSync } from "node:fs";
import type { Language } from "../language.ts";
import { renderErrorClasses, renderErrors } from "./errors.ts";
import { renderOperations } from "./operations.ts";
import { renderOptions } from "./options.ts";

/** The types from openapi-typescript. The package that users install needs its own copy. */
const TYPES = new URL("../../../openapi/generated/types.generators.ts", import.meta.url);

const MANIFEST = new URL("../../../clients/typescript/package.json", import.meta.url);

export const typescript: Language = {
  name: "typescript",
  render: (contract) =>
    new Map([
      ["src/generated/types.ts", readFileSync(TYPES, "utf8")],
      ["src/generated/errors.ts", renderErrors(contract)],
      ["src/generated/error-classes.ts", renderErrorClasses(contract)],
      ["src/generated/operations.ts", renderOperations(contract)],
      ["src/generated/options.ts", renderOptions(contract)],
      ["src/generated/version.ts", renderVersion()],
    ]),
};

/** In a web browser, the package can't read its own manifest. */
function renderVersion(): string {
  const { version } = JSON.parse(readFileSync(MANIFEST, "utf8")) as { version: string };
  return `// Generated from package.json by \`npm run generate\`: change that file, not this one.\n\nexport const VERSION = ${JSON.stringify(version)};\n`;
}
