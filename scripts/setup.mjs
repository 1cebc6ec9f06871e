// @ts-check
// Plain JavaScript without dependencies, because the machine's own Node runs it before `npm ci`. It therefore parses
// its command line itself.
import { readFileSync } from "node:fs";
import { readScope, runSetup } from "./setup/run-setup.mjs";

const OLDEST_MAJOR = 20;

const USAGE = `npm run setup -- [--yes] [--for SCOPE]

Installs the workspace's npm packages, and Debian packages with apt.

  --yes        install Debian packages without asking
  --for SCOPE  install only what this scope needs: server, start, dependencies, test or all (the default)
`;

const args = process.argv.slice(2);
const scope = readScope(args);
if (args.includes("--help") || args.includes("-h")) {
  process.stdout.write(USAGE);
} else if (args.includes("--version")) {
  process.stdout.write(`${JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version}\n`);
} else if (scope === undefined) {
  process.stderr.write(USAGE);
  process.exitCode = 2;
} else if (refuseOldNode(process.versions.node)) {
  process.exitCode = 1;
} else {
  process.exitCode = (await runSetup({ scope, isAgreed: args.includes("--yes") })) ? 0 : 1;
}

/**
 * Prints instructions if the machine's Node is too old to run the setup.
 * @param {string} version The value of `process.versions.node`.
 * @returns {boolean} Whether the version is too old.
 */
function refuseOldNode(version) {
  if (Number.parseInt(version, 10) >= OLDEST_MAJOR) return false;
  process.stderr.write(
    `Node ${version} is too old: ${OLDEST_MAJOR} or newer is required (the workspace then installs its own Node 24).\n` +
      "Get it from https://nodejs.org/en/download or your distribution.\n",
  );
  return true;
}
