import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startCommand } from "../../command-line/src/command-line.ts";
import { renderOutputs } from "./outputs.ts";

startCommand({ usage: "npm run generate -w openapi\n\nWrites openapi/generated.\n" });

const folder = join(import.meta.dirname, "../generated");
const outputs = await renderOutputs();
await mkdir(folder, { recursive: true });
for (const [name, text] of outputs) await writeFile(join(folder, name), text);
for (const name of await readdir(folder)) {
  if (!outputs.has(name)) await rm(join(folder, name), { recursive: true });
}
