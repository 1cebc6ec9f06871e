// @ts-check
/**
 * `npm run setup [--yes] [--for server|start|dependencies|test|all]`: installs what the workspace needs.
 *
 * This is plain JavaScript without dependencies, because it runs on the machine's own Node, before `npm ci`.
 */
import { readScope, runSetup } from "./setup/run-setup.mjs";
import { refuseOldNode } from "./setup/node-version.mjs";

const args = process.argv.slice(2);
const scope = readScope(args);
if (scope === undefined) {
  process.stderr.write("usage: npm run setup -- [--yes] [--for server|start|dependencies|test|all]\n");
  process.exitCode = 2;
} else if (refuseOldNode(process.versions.node)) {
  process.exitCode = 1;
} else {
  process.exitCode = (await runSetup({ scope, isAgreed: args.includes("--yes") })) ? 0 : 1;
}
