import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { compare } from "./ledger/compare.ts";
import { countDependencies, countLines, listSettings } from "./ledger/count.ts";
import { isSlowFile } from "./ledger/shards.ts";
import { readLedger, writeLedger } from "./ledger/ledger.ts";

/** How far lines may be below their entry before it has to be lowered. */
const SLACK_LINES = 1000;

/**
 * Part of `npm run check`: compares lines, runtime dependencies and settings with the ledger. With `--write`, it writes
 * them there.
 */
const root = fileURLToPath(new URL("..", import.meta.url));
const read = (file: string): string => readFileSync(join(root, file), "utf8");
const files = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" }).split("\n").filter(Boolean);

const lines = countLines(files, read);
const counts = { dependencies: countDependencies(files, read), settings: listSettings(files, read).length };
const ledger = readLedger();
if (process.argv.includes("--write")) writeLedger({ ...ledger, lines: roundUp(lines), counts });
else {
  const slow = files.filter((file) => isSlowFile(file, read));
  const problems = [
    ...compare("lines", ledger.lines, lines, SLACK_LINES),
    ...compare("counts", ledger.counts, counts, 0),
    ...compare("slowSeconds", ledger.slowSeconds, Object.fromEntries(slow.map((file) => [file, 0])), Infinity),
  ];
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}

/** Rounds up to the next hundred, so that small changes don't touch the ledger. */
function roundUp(numbers: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(numbers).map(([name, number]) => [name, Math.ceil(number / 100) * 100]));
}
