import { execFileSync } from "node:child_process";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import { findDifferences, writeVersion } from "./stamp/versions.ts";

/** `npm run stamp -- 0.2.0` writes a version everywhere; `--check` finds places that differ. */
const root = fileURLToPath(new URL("..", import.meta.url));
const [wanted = ""] = argv.slice(2);

if (wanted === "--check") {
  const differences = findDifferences(root);
  for (const difference of differences) process.stderr.write(`${difference}\n`);
  process.exitCode = differences.length === 0 ? 0 : 1;
} else if (/^\d+\.\d+\.\d+$/.test(wanted)) {
  writeVersion(root, wanted);
  execFileSync("npm", ["install", "--package-lock-only", "--no-audit", "--no-fund"], { cwd: root, stdio: "inherit" });
  process.stdout.write(`The version is ${wanted} now. Run npm run generate, and add it to CHANGELOG.md.\n`);
} else {
  process.stderr.write(
    `${JSON.stringify(wanted)} is not a version.\nusage: npm run stamp -- MAJOR.MINOR.PATCH | --check\n`,
  );
  process.exitCode = 2;
}
