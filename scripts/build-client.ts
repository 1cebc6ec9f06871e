import { execFileSync } from "node:child_process";
import { copyFileSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { startCommand } from "./command-line/command-line.ts";
import { toPublished } from "./release/published.ts";

const USAGE = `npm run build -w clients/typescript -- [FOLDER]

Builds the package that users install in clients/typescript/dist, or in another folder. npm pack ./clients/typescript/dist packs it.
`;

const root = fileURLToPath(new URL("..", import.meta.url));
const client = join(root, "clients/typescript");
const { positionals } = startCommand({ usage: USAGE, maxArguments: 1 });
const outdir = positionals[0] ?? join(client, "dist");

rmSync(outdir, { recursive: true, force: true });
const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin/tsc");
execFileSync(process.execPath, [tsc, "-p", join(client, "tsconfig.build.json"), "--outDir", outdir], {
  stdio: "inherit",
});
// The compiler rewrites imports in code, but not in declarations.
for (const file of globSync("**/*.d.ts", { cwd: outdir }).map((path) => join(outdir, path))) {
  writeFileSync(file, readFileSync(file, "utf8").replaceAll(/(?<=from "\.{1,2}\/[^"]+)\.ts(?=")/g, ".js"));
}

const manifest = JSON.parse(readFileSync(join(client, "package.json"), "utf8")) as {
  readonly [member: string]: unknown;
  readonly exports: Readonly<Record<string, string>>;
};
const { dependencies } = manifest;
const optional = { "playwright-core": ">=1.40", "puppeteer-core": ">=22" };
const published = {
  ...toPublished(root, "clients/typescript"),
  engines: { node: ">=20" },
  exports: Object.fromEntries(Object.entries(manifest.exports).map(([path, source]) => [path, toBuilt(source)])),
  dependencies,
  peerDependencies: optional,
  peerDependenciesMeta: Object.fromEntries(Object.keys(optional).map((each) => [each, { optional: true }])),
  sideEffects: false,
};
writeFileSync(join(outdir, "package.json"), `${JSON.stringify(published, undefined, 2)}\n`);
copyFileSync(join(root, "LICENSE"), join(outdir, "LICENSE"));
// An installed package does not contain the rest of the repository.
const readme = readFileSync(join(client, "README.md"), "utf8").replaceAll(/\[([^\]]+)\]\(\.\.[^)]*\)/g, "$1");
writeFileSync(join(outdir, "README.md"), readme);

/** Maps `./src/index.ts` to its compiled file and its types. */
function toBuilt(source: string): object {
  const path = source.replace("./src/", "./").replace(/\.ts$/, "");
  return { types: `${path}.d.ts`, default: `${path}.js` };
}
