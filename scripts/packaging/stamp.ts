import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { misuse, startCommand } from "../../command-line/src/command-line.ts";
import { findDifferences, writeVersion } from "./versions.ts";

const USAGE = `npm run stamp -- VERSION | --check

  VERSION  write this version (MAJOR.MINOR.PATCH) everywhere
  --check  find other versions
`;

const root = fileURLToPath(new URL("../..", import.meta.url));
const {
  values: { check },
  positionals: [wanted = ""],
} = startCommand({ usage: USAGE, options: { check: { type: "boolean" } }, maxArguments: 1 });

if (check === true) {
  const differences = findDifferences(root);
  for (const difference of differences) process.stderr.write(`${difference}\n`);
  process.exitCode = differences.length === 0 ? 0 : 1;
} else if (/^\d+\.\d+\.\d+$/.test(wanted)) {
  writeVersion(root, wanted);
  execFileSync("npm", ["install", "--package-lock-only", "--no-audit", "--no-fund"], { cwd: root, stdio: "inherit" });
  process.stdout.write(`The version is now ${wanted}. Run npm run generate, and add the version to CHANGELOG.md.\n`);
} else {
  misuse(`${JSON.stringify(wanted)} is not a version.`);
}
