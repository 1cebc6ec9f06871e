import { redocly } from "./redocly.ts";

// Redocly prints a message on success; print its output only on failure.
const { ok, stdout, stderr } = await redocly("lint", "openapi.yaml");
if (!ok) {
  process.stderr.write(stderr + stdout);
  process.exitCode = 1;
}
