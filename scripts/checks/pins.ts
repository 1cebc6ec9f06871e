import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** A local path in the same repository, a commit hash, or an image digest. Tags are rejected, because they can move. */
const PINNED = /^(?:\.\/\S*|[\w./-]+@[\da-f]{40} # v\d+\.\d+\.\d+\S*|docker:\/\/\S+@sha256:[\da-f]{64}(?: #.*)?)$/;

/** @param workflow The text of a workflow, or of a composite action. */
export function findUnpinned(workflow: string): readonly { readonly line: number; readonly action: string }[] {
  return workflow.split("\n").flatMap((text, index) => {
    const [, action] = /^(?!\s*#).*?\buses["']?\s*:\s*(.*?)\s*$/.exec(text) ?? [];
    return action === undefined || PINNED.test(action) ? [] : [{ line: index + 1, action }];
  });
}

/**
 * Part of `npm run check`: prints all unpinned actions in workflows. Exits with 1 if there are any, or if it finds no
 * workflow.
 */
if (import.meta.main) {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const files = globSync(".github/**/*.{yml,yaml}", { cwd: root });
  if (files.length === 0) {
    console.error("There are no workflows in .github.");
    process.exitCode = 1;
  }
  for (const file of files) {
    for (const { line, action } of findUnpinned(readFileSync(join(root, file), "utf8"))) {
      console.error(
        `${file}:${line}: ${action} is not pinned: use a full commit hash, with the version in a comment, # v1.2.3`,
      );
      process.exitCode = 1;
    }
  }
}
