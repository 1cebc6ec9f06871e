import { fileURLToPath } from "node:url";
import { startCommand } from "../command-line/src/command-line.ts";
import { describeVerdict, runChecks } from "./checks/checks.ts";

startCommand({
  usage: "npm run check\n\nRuns all static checks: format, lint, types, import rules, generated files.\n",
});
const root = fileURLToPath(new URL("..", import.meta.url));
const verdicts = await runChecks(root, (verdict) => process.stdout.write(describeVerdict(verdict)));
const failed = verdicts.filter(({ outcome }) => outcome === "failed");
if (failed.length > 0) {
  console.error(`Failed: ${failed.map(({ check }) => check.name).join(", ")}.`);
  process.exitCode = 1;
}
