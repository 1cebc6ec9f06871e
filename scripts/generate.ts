import { fileURLToPath } from "node:url";
import { runTargets } from "./generate/run-targets.ts";
import { TARGETS } from "./generate/targets.ts";

/** `npm run generate`: writes all generated files that are stale. */
const root = fileURLToPath(new URL("..", import.meta.url));
if (!runTargets(TARGETS, root, (text) => process.stdout.write(text))) process.exitCode = 1;
