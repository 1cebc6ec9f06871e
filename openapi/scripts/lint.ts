import { redocly } from "./redocly.ts";

// Redocly celebrates every success; we stay silent.
const { ok, stdout, stderr } = await redocly("lint", "openapi.yaml");
if (!ok) {
  process.stderr.write(stderr + stdout);
  process.exitCode = 1;
}
