import { fileURLToPath } from "node:url";
import { startCommand } from "./command-line/command-line.ts";
import { runTargets } from "./generate/run-targets.ts";
import { TARGETS } from "./generate/targets.ts";

startCommand({ usage: "npm run generate\n\nWrites all generated files that are stale.\n" });
const root = fileURLToPath(new URL("..", import.meta.url));
if (!runTargets(TARGETS, root, (text) => process.stdout.write(text))) process.exitCode = 1;
