import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { Contract } from "../openapi/scripts/contract.ts";
import { isGenerated } from "./clients/language.ts";
import { LANGUAGES } from "./clients/languages.ts";
import { renderClient } from "./clients/render-client.ts";
import { writeOrCheckAll } from "./write-or-check.ts";

/** `node scripts/generate-clients.ts [--check] [LANGUAGE…]` generates the clients of some or all languages. */
const { positionals } = parseArgs({ options: { check: { type: "boolean" } }, allowPositionals: true });
const contract = JSON.parse(
  readFileSync(new URL("../openapi/generated/openapi.generators.json", import.meta.url), "utf8"),
) as Contract;

try {
  for (const language of LANGUAGES.filter(({ name }) => positionals.length === 0 || positionals.includes(name))) {
    writeOrCheckAll(`clients/${language.name}`, await renderClient(language, contract), isGenerated);
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
