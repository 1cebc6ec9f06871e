import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { startCommand } from "../../command-line/src/command-line.ts";
import { renderOutputs } from "./outputs.ts";

startCommand({ usage: "npm run fresh -w openapi\n\nChecks that openapi/generated is up to date.\n" });

const folder = join(import.meta.dirname, "../generated");
const outputs = await renderOutputs();
const present = await readdir(folder).catch(() => []);
const stale = [...outputs.keys(), ...present.filter((name) => !outputs.has(name))];
for (const name of stale) {
  const actual = await readFile(join(folder, name), "utf8").catch(() => undefined);
  if (actual === outputs.get(name)) continue;
  console.error(`openapi/generated/${name} is stale: run npm run generate.`);
  process.exitCode = 1;
}
