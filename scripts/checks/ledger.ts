import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { compare, isSlowFile, readLedger, writeLedger } from "../ledger/ledger.ts";

/** How far the number of lines may fall below its ledger entry before the entry must be lowered. */
const SLACK_LINES = 1000;

type Package = { readonly dependencies?: Readonly<Record<string, string>> };

const RELEASED = /^(?:openapi|conformance|clients)\/released\//;
const GENERATED = /(?:^|\/)_?generated\/|_generated\./;
const CODE = /\.(?:ts|mts|mjs|js|cjs|py|go|java|rs|sh|html|css|yaml|yml|toml|xml)$/;
const TESTS = /\.test\.ts$|(?:^|\/)tests?\/|_test\.(?:go|py)$|(?:^|\/)test_[^/]*\.py$/;

/** Counts hand-written lines of code per folder, all lines of tests and of docs, and the generated lines. */
export function countLines(files: readonly string[], read: (file: string) => string): Record<string, number> {
  const lines: Record<string, number> = {};
  for (const file of files.toSorted()) {
    const room = toRoom(file);
    if (room !== undefined) lines[room] = (lines[room] ?? 0) + read(file).split("\n").length - 1;
  }
  return lines;
}

function toRoom(file: string): string | undefined {
  if (RELEASED.test(file)) return undefined;
  if (GENERATED.test(file)) return "generated";
  if (file.endsWith(".md")) return "docs";
  if (!CODE.test(file) || !file.includes("/")) return undefined;
  return TESTS.test(file) ? "tests" : file.slice(0, file.indexOf("/"));
}

/** Counts our packages' third-party runtime dependencies, except for the bench package, which users don't install. */
export function countDependencies(files: readonly string[], read: (file: string) => string): number {
  const manifests = files.filter((file) => /(?:^|\/)package\.json$/.test(file) && !file.startsWith("bench/"));
  const names = manifests.flatMap((file) => Object.keys((JSON.parse(read(file)) as Package).dependencies ?? {}));
  return new Set(names.filter((name) => !name.startsWith("@remote-browser/"))).size;
}

/** Lists the names of the server's settings. */
export function listSettings(files: readonly string[], read: (file: string) => string): string[] {
  const sources = files.filter((file) => file.startsWith("server/src/config/") && !file.endsWith(".test.ts"));
  const names = sources.flatMap((file) => read(file).match(/\bRBS_[A-Z0-9_]*[A-Z0-9]\b/g) ?? []);
  return [...new Set(names)].toSorted();
}

/** Rounds up to the next hundred, so that small changes don't change the ledger. */
function roundUp(numbers: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(numbers).map(([name, number]) => [name, Math.ceil(number / 100) * 100]));
}

/**
 * Part of `npm run check`: compares lines, runtime dependencies and settings with the ledger, or with `--write`,
 * updates the ledger.
 */
if (import.meta.main) {
  const root = fileURLToPath(new URL("../..", import.meta.url));
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
}
