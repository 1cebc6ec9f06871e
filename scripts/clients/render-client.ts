import type { Contract } from "../../openapi/scripts/contract.ts";
import { type Language, isGenerated } from "./language.ts";
import { runGenerator } from "./openapi-generator.ts";

/**
 * Returns all generated files of a client, by path relative to the workspace.
 * @throws {Error} When openapi-generator fails, or something would be written outside the generated folders.
 */
export async function renderClient(language: Language, contract: Contract): Promise<ReadonlyMap<string, string>> {
  const { name, core } = language;
  const files = new Map(await language.render(contract));
  const written = core === undefined ? [] : await runGenerator(core.settings, contract);
  for (const [path, text] of written) {
    const placed = core?.place(path);
    // Our own files replace the core's.
    if (placed !== undefined && !files.has(placed)) files.set(placed, text);
  }
  const stray = [...files.keys()].find((path) => !isGenerated(path));
  if (stray !== undefined) throw new Error(`clients/${name}/${stray} is not in a folder for generated files.`);
  return new Map([...files].map(([path, text]) => [`clients/${name}/${path}`, text]));
}
