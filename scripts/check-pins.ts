import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findUnpinned } from "./pins/find-unpinned.ts";

/**
 * Part of `npm run check`: prints every action of a workflow that is not pinned. Exits with 1 if there are any, or
 * if it finds no workflow.
 */
const root = fileURLToPath(new URL("..", import.meta.url));
const files = globSync(".github/**/*.{yml,yaml}", { cwd: root });
if (files.length === 0) {
  console.error("There are no workflows in .github.");
  process.exitCode = 1;
}
for (const file of files) {
  for (const { line, action } of findUnpinned(readFileSync(join(root, file), "utf8"))) {
    console.error(
      `${file}:${line}: ${action} is not pinned: name the whole hash of a commit, and its version as a comment, # v1.2.3`,
    );
    process.exitCode = 1;
  }
}
