import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { renderArguments } from "./arguments/render-arguments.ts";

/** Writes docs/arguments.md; with `--check`, only tells whether it is as it would be written. */
const file = join(fileURLToPath(new URL("..", import.meta.url)), "docs/arguments.md");
const text = renderArguments();

if (!process.argv.includes("--check")) {
  writeFileSync(file, text);
} else if (readIfThere() !== text) {
  console.error("docs/arguments.md is stale: run `npm run generate` and commit it.");
  process.exitCode = 1;
}

function readIfThere(): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
