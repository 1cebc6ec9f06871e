import { readFileSync } from "node:fs";
import type { Contract } from "../openapi/scripts/contract.ts";
import { forGenerators } from "../openapi/scripts/for-generators.ts";
import { readRequiredMembers } from "../openapi/scripts/required-members.ts";
import { LANGUAGES, type Language, isGenerated } from "./clients/languages.ts";
import { runGenerator } from "./clients/openapi-generator.ts";
import { withoutErrors } from "./clients/without-errors.ts";
import { startCommand } from "../command-line/src/command-line.ts";
import { writeOrCheckAll } from "./generators/write-or-check.ts";

const USAGE = `node scripts/generate-clients.ts [--check] [LANGUAGE…]

Generates the clients of some or all languages, or checks that they are up to date.
`;

const { positionals } = startCommand({
  usage: USAGE,
  options: { check: { type: "boolean" } },
  maxArguments: LANGUAGES.length,
});
type Files = ReadonlyMap<string, string>;

const bundle = readFileSync(new URL("../openapi/generated/openapi.json", import.meta.url), "utf8");
const contract = forGenerators(JSON.parse(bundle) as Contract, readRequiredMembers());

try {
  const chosen = LANGUAGES.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  const settings = chosen.flatMap(({ core }) => core?.settings ?? []);
  const cores = await runGenerator(settings, withoutErrors(contract));
  for (const language of chosen) {
    const core = cores.get(language.core?.settings ?? "") ?? new Map<string, string>();
    writeOrCheckAll(`clients/${language.name}`, await renderClient(language, core), isGenerated);
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

/**
 * Returns all generated files of a client, by path relative to the workspace.
 * @param written The files from openapi-generator.
 * @throws {Error} If a file would be written outside the generated folders.
 */
async function renderClient(language: Language, written: Files): Promise<Files> {
  const { name, core } = language;
  const files = new Map(await language.render(contract));
  for (const [path, text] of written) {
    const placed = core?.place(path);
    // Our generators' files take precedence over files from openapi-generator.
    if (placed !== undefined && !files.has(placed)) files.set(placed, text);
  }
  const stray = [...files.keys()].find((path) => !isGenerated(path));
  if (stray !== undefined) throw new Error(`clients/${name}/${stray} is not in a folder for generated files.`);
  return new Map([...files].map(([path, text]) => [`clients/${name}/${path}`, text]));
}
