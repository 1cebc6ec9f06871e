// @ts-check
/*
 * This is plain JavaScript without dependencies, because it runs on the machine's own Node, before `npm ci`. So it
 * reads its command line itself.
 */
import { readFileSync } from "node:fs";
import { readScope, runSetup } from "./setup/run-setup.mjs";
import { refuseOldNode } from "./setup/node-version.mjs";

const USAGE = `npm run setup -- [--yes] [--for SCOPE]

Installs what the workspace needs: npm packages, and Debian packages with apt.

  --yes        install Debian packages without asking
  --for SCOPE  only what this needs: server, start, dependencies, test or all (the default)
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
