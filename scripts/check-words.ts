import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import { findWords } from "./words/find-words.ts";

/**
 * Part of `npm run check`: finds words that pages, errors, docs and comments must not use. Arguments limit it to paths.
 */
const root = fileURLToPath(new URL("..", import.meta.url));

/** Skips the list itself, generated files, released contracts, and third-party texts. */
const LEFT_OUT =
  /(?:^|\/)_?generated\/|_generated\.|^docs\/arguments\.md|^openapi\/released\/|^scripts\/words\/|^THIRD_PARTY_NOTICES/;

const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard", ...argv.slice(2)], {
  cwd: root,
  encoding: "utf8",
})
  .split("\n")
  .filter((file) => /\.(?:ts|mjs|js|md|html|css|py|go|java)$/.test(file) && !LEFT_OUT.test(file))
  .filter((file) => existsSync(join(root, file)));
let count = 0;
for (const file of files) {
  for (const { line, found, instead } of findWords(file, readFileSync(join(root, file), "utf8"))) {
    console.error(`${file}:${line}: "${found}" (${instead})`);
    count += 1;
  }
}
if (count > 0) {
  console.error(`${count} refused words in ${files.length} files.`);
  process.exitCode = 1;
}
