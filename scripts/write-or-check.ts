import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * Writes a generated file; with `--check` on the command line, only tells whether it is as it would be written.
 * @param path Relative to the workspace.
 */
export function writeOrCheck(path: string, text: string): void {
  const file = fileURLToPath(new URL(`../${path}`, import.meta.url));
  if (!process.argv.includes("--check")) {
    writeFileSync(file, text);
  } else if (readIfThere(file) !== text) {
    console.error(`${path} is stale: run \`npm run generate\` and commit it.`);
    process.exitCode = 1;
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
