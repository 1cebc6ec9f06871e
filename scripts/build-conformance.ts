import { copyFileSync, cpSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { startCommand } from "./command-line/command-line.ts";
import { toPublished } from "./release/published.ts";

const USAGE = `npm run build -w conformance -- [FOLDER]

Builds the package that users install, including the contract, in conformance/dist, or in another folder. npm pack ./conformance/dist packs it.
`;

const root = fileURLToPath(new URL("..", import.meta.url));
const suite = join(root, "conformance");
const { positionals } = startCommand({ usage: USAGE, maxArguments: 1 });
const outdir = positionals[0] ?? join(suite, "dist");

const manifest = JSON.parse(readFileSync(join(suite, "package.json"), "utf8")) as {
  readonly [member: string]: unknown;
  readonly dependencies: Readonly<Record<string, string>>;
};
const { "@remote-browser/contract": _, ...dependencies } = manifest.dependencies;

rmSync(outdir, { recursive: true, force: true });
await build({
  // Vitest loads the second entry by its path. Shared code goes into chunks.
  entryPoints: [join(suite, "src/main.ts"), join(suite, "src/run/suite.ts")],
  outdir,
  entryNames: "[name]",
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node22",
  external: Object.keys(dependencies),
  logLevel: "warning",
});

// Other files go beside the file that reads them, as in the sources.
const schemathesis = join(suite, "src/schemathesis");
for (const file of globSync("**/*.{py,toml,txt}", { cwd: schemathesis })) {
  cpSync(join(schemathesis, file), join(outdir, file));
}
copyFileSync(join(suite, "report.schema.json"), join(outdir, "report.schema.json"));
copyFileSync(join(root, "LICENSE"), join(outdir, "LICENSE"));
const published = {
  ...toPublished(root, "conformance"),
  engines: { node: ">=22.12" },
  bin: { "remote-browser-conformance": "./main.js" },
  dependencies,
};
writeFileSync(join(outdir, "package.json"), `${JSON.stringify(published, undefined, 2)}\n`);
