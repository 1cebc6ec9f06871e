import { fileURLToPath } from "node:url";
import { describeVerdict, runChecks } from "./check/run-checks.ts";

/** `npm run check`: all static checks. */
const root = fileURLToPath(new URL("..", import.meta.url));
const verdicts = await runChecks(root, (verdict) => process.stdout.write(describeVerdict(verdict)));
const failed = verdicts.filter(({ outcome }) => outcome === "failed");
if (failed.length > 0) {
  console.error(`Failed: ${failed.map(({ check }) => check.name).join(", ")}.`);
  process.exitCode = 1;
}
