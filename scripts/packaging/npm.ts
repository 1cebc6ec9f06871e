import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type BuildOptions, build } from "esbuild";
import { startCommand } from "../../command-line/src/command-line.ts";

/** A manifest as npm reads it. */
type Manifest = Readonly<Record<string, unknown>> & {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string>>;
};

type Package = {
  readonly what: string;
  /** @returns The manifest members that are specific to this package. */
  build(): object | Promise<object>;
};

/** The workspace's packages for npm, by folder. */
const PACKAGES: Readonly<Record<string, Package>> = {
  "clients/typescript": { what: "the package that users install", build: buildClient },
  "clients/tunnel": { what: "a package for machines without this workspace", build: buildTunnel },
  conformance: { what: "the package that users install, including the contract,", build: buildConformance },
};

const REPOSITORY = "https://github.com/remote-browser/remote-browser-service";

const root = fileURLToPath(new URL("../..", import.meta.url));
const [folder = "", ...args] = process.argv.slice(2);
const chosen = PACKAGES[folder];
if (chosen === undefined) throw new Error(`Name the folder of a package: ${Object.keys(PACKAGES).join(", ")}.`);
const usage = `npm run build -w ${folder} -- [FOLDER]

Builds ${chosen.what} in ${folder}/dist, or in another folder. npm pack ./${folder}/dist packs it.
`;
const { positionals } = startCommand({ usage, maxArguments: 1 }, args);
const source = join(root, folder);
const outdir = positionals[0] ?? join(source, "dist");
const manifest = JSON.parse(readFileSync(join(source, "package.json"), "utf8")) as Manifest;

rmSync(outdir, { recursive: true, force: true });
const published = { ...toPublished(), ...(await chosen.build()) };
writeFileSync(join(outdir, "package.json"), `${JSON.stringify(published, undefined, 2)}\n`);
copyFileSync(join(root, "LICENSE"), join(outdir, "LICENSE"));

/** Returns the first members of the published manifest, which registries display. */
function toPublished(): object {
  const { name, version, description, keywords, license, type } = manifest;
  return {
    ...{ name, version, description, keywords, license, type },
    author: "Remote Browser Service contributors",
    homepage: `${REPOSITORY}/tree/main/${folder}#readme`,
    repository: { type: "git", url: `git+${REPOSITORY}.git`, directory: folder },
    bugs: `${REPOSITORY}/issues`,
  };
}

function buildClient(): object {
  const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin/tsc");
  execFileSync(process.execPath, [tsc, "-p", join(source, "tsconfig.build.json"), "--outDir", outdir], {
    stdio: "inherit",
  });
  // The compiler rewrites imports in code, but not in declarations.
  for (const file of globSync("**/*.d.ts", { cwd: outdir }).map((path) => join(outdir, path))) {
    writeFileSync(file, readFileSync(file, "utf8").replaceAll(/(?<=from "\.{1,2}\/[^"]+)\.ts(?=")/g, ".js"));
  }
  // Remove links to files outside the package.
  const readme = readFileSync(join(source, "README.md"), "utf8").replaceAll(/\[([^\]]+)\]\(\.\.[^)]*\)/g, "$1");
  writeFileSync(join(outdir, "README.md"), readme);
  const optional = { "playwright-core": ">=1.40", "puppeteer-core": ">=22" };
  return {
    engines: { node: ">=20" },
    exports: Object.fromEntries(Object.entries(manifest.exports).map(([path, file]) => [path, toBuilt(file)])),
    dependencies: manifest.dependencies,
    peerDependencies: optional,
    peerDependenciesMeta: Object.fromEntries(Object.keys(optional).map((each) => [each, { optional: true }])),
    sideEffects: false,
  };
}

/** Maps `./src/index.ts` to its compiled file and its types. */
function toBuilt(file: string): object {
  const path = file.replace("./src/", "./").replace(/\.ts$/, "");
  return { types: `${path}.d.ts`, default: `${path}.js` };
}

async function buildTunnel(): Promise<object> {
  await bundle({ entryPoints: ["src/main.ts", "src/index.ts"], packages: "external" });
  return {
    engines: { node: ">=22.12" },
    bin: { "remote-browser-tunnel": "main.js" },
    exports: { ".": "./index.js" },
    dependencies: manifest.dependencies,
  };
}

async function buildConformance(): Promise<object> {
  const { "@remote-browser/contract": _, ...dependencies } = manifest.dependencies;
  // Vitest loads the second entry by its path. Shared code goes into chunks.
  const entryPoints = ["src/main.ts", "src/run/suite.ts"];
  await bundle({ entryPoints, entryNames: "[name]", external: Object.keys(dependencies) });
  // The code reads these files from its own folder.
  const schemathesis = join(source, "src/schemathesis");
  for (const file of globSync("**/*.{py,toml,txt}", { cwd: schemathesis })) {
    cpSync(join(schemathesis, file), join(outdir, file));
  }
  copyFileSync(join(source, "report.schema.json"), join(outdir, "report.schema.json"));
  return { engines: { node: ">=22.12" }, bin: { "remote-browser-conformance": "./main.js" }, dependencies };
}

async function bundle(options: BuildOptions): Promise<void> {
  await build({
    absWorkingDir: source,
    outdir,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node22",
    logLevel: "warning",
    ...options,
  });
}
