import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readNotices } from "./notices/packages.ts";
import { renderNotices } from "./notices/render-notices.ts";

/** Writes THIRD_PARTY_NOTICES.md; with `--check`, only tells whether it is as it would be written. */
const root = fileURLToPath(new URL("..", import.meta.url));
const file = join(root, "THIRD_PARTY_NOTICES.md");
const text = renderNotices(readNotices(root));

if (!process.argv.includes("--check")) {
  writeFileSync(file, text);
} else if (readIfThere() !== text) {
  console.error("THIRD_PARTY_NOTICES.md is stale: run `npm run generate` and commit it.");
  process.exitCode = 1;
}

function readIfThere(): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
