import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { startCommand } from "./command-line/command-line.ts";
import { toPublished } from "./release/published.ts";

const USAGE = `npm run build -w clients/tunnel -- [FOLDER]

Builds a package for machines without this workspace in clients/tunnel/dist, or in another folder. npm pack ./clients/tunnel/dist packs it.
`;

const root = fileURLToPath(new URL("..", import.meta.url));
const tunnel = join(root, "clients/tunnel");
const { positionals } = startCommand({ usage: USAGE, maxArguments: 1 });
const outdir = positionals[0] ?? join(tunnel, "dist");

rmSync(outdir, { recursive: true, force: true });
await build({
  absWorkingDir: tunnel,
  entryPoints: ["src/main.ts", "src/index.ts"],
  outdir,
  bundle: true,
  splitting: true,
  packages: "external",
  platform: "node",
  format: "esm",
  target: "node22",
  logLevel: "warning",
});

const manifest = JSON.parse(readFileSync(join(tunnel, "package.json"), "utf8")) as Record<string, unknown>;
const { dependencies } = manifest;
const published = {
  ...toPublished(root, "clients/tunnel"),
  engines: { node: ">=22.12" },
  bin: { "remote-browser-tunnel": "main.js" },
  exports: { ".": "./index.js" },
  dependencies,
};
writeFileSync(join(outdir, "package.json"), `${JSON.stringify(published, undefined, 2)}\n`);
copyFileSync(join(root, "LICENSE"), join(outdir, "LICENSE"));
