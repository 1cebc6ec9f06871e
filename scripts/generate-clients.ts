import { readFileSync } from "node:fs";
import type { Contract } from "../openapi/scripts/contract.ts";
import { forGenerators } from "../openapi/scripts/for-generators.ts";
import { readRequiredMembers } from "../openapi/scripts/required-members.ts";
import { isGenerated } from "./clients/language.ts";
import { LANGUAGES } from "./clients/languages.ts";
import { renderClient } from "./clients/render-client.ts";
import { startCommand } from "./command-line/command-line.ts";
import { writeOrCheckAll } from "./generators/write-or-check.ts";

const USAGE = `node scripts/generate-clients.ts [--check] [LANGUAGE…]

Generates the clients of some or all languages, or checks that they are up to date.
`;

const { positionals } = startCommand({
  usage: USAGE,
  options: { check: { type: "boolean" } },
  maxArguments: LANGUAGES.length,
});
const bundle = readFileSync(new URL("../openapi/generated/openapi.json", import.meta.url), "utf8");
const contract = forGenerators(JSON.parse(bundle) as Contract, readRequiredMembers());

try {
  for (const language of LANGUAGES.filter(({ name }) => positionals.length === 0 || positionals.includes(name))) {
    writeOrCheckAll(`clients/${language.name}`, await renderClient(language, contract), isGenerated);
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
