import { startCommand } from "../../command-line/src/command-line.ts";
import { redocly } from "./redocly.ts";

startCommand({ usage: "npm run lint -w openapi\n\nChecks the contract with Redocly.\n" });

// Print Redocly's output only on failure, because it also prints a message on success.
const { ok, stdout, stderr } = await redocly("lint", "openapi.yaml");
if (!ok) {
  process.stderr.write(stderr + stdout);
  process.exitCode = 1;
}
