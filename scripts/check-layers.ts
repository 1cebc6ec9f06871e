import { fileURLToPath } from "node:url";
import { findViolations } from "./layers/find-violations.ts";

/** Prints every import that violates the table of layers or closes a cycle. Exits with 1 if there are any. */
const violations = findViolations(fileURLToPath(new URL("..", import.meta.url)));
for (const violation of violations) console.error(violation);
process.exitCode = violations.length === 0 ? 0 : 1;
