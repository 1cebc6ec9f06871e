import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempDisposableSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { startCommand } from "../command-line/src/command-line.ts";
import { readNotices, renderLicences } from "./generators/notices.ts";

startCommand({
  usage: `npm run build

Bundles the server and its commands in server/dist, with one file for each and shared chunks. Node 24.7 or later runs them
without node_modules.
`,
});
const root = fileURLToPath(new URL("..", import.meta.url));
const server = join(root, "server");
const outdir = join(server, "dist");
/** The files that the API reference loads from the package, and the licences of their code. */
const SWAGGER_UI = ["swagger-ui-bundle.js", "swagger-ui.css", "swagger-ui-bundle.js.LICENSE.txt"];

/** The processor architectures that a compiled server supports, as Node names them. */
const PROCESSORS = ["x64", "arm64"];

type Lock = { readonly packages: Readonly<Record<string, { readonly version: string; readonly integrity: string }>> };

rmSync(outdir, { recursive: true, force: true });
await build({
  absWorkingDir: server,
  entryPoints: {
    main: "src/main.ts",
    account: "src/cli/account.ts",
    doctor: "src/cli/doctor.ts",
    backup: "src/cli/backup.ts",
    // Runs in a separate process.
    broker: "src/broker/main.ts",
    ...findThreads(),
  },
  outdir,
  bundle: true,
  platform: "node",
  format: "esm",
  // The server loads dynamic imports only when it needs them.
  splitting: true,
  target: "node24",
  sourcemap: "linked",
  legalComments: "none",
  // CommonJS packages call `require` for Node's own modules, but ES modules have no `require`.
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
  },
  logLevel: "warning",
});
// The server serves web pages unchanged, along with the packages that the pages load from the same folder.
const web = join(outdir, "web");
cpSync(join(server, "src/web"), web, { recursive: true, filter: (path) => !/\.ts$|tsconfig/.test(path) });
const novnc = fileURLToPath(new URL("..", import.meta.resolve("@novnc/novnc")));
for (const part of ["core", "vendor", "LICENSE.txt"])
  cpSync(join(novnc, part), join(web, "desktop-page/novnc", part), { recursive: true });
const idiomorph = fileURLToPath(new URL("idiomorph.esm.js", import.meta.resolve("idiomorph")));
cpSync(idiomorph, join(web, "kit/static/idiomorph.esm.js"));
// The broker calls the C library through Koffi, which loads its binary for the machine's processor from a package.
copyKoffiBinaries(join(outdir, "node_modules"));
const swaggerUi = fileURLToPath(new URL(".", import.meta.resolve("swagger-ui-dist/package.json")));
for (const part of ["package.json", "LICENSE", "NOTICE", ...SWAGGER_UI])
  cpSync(join(swaggerUi, part), join(web, "swagger-ui", part));
writeFileSync(join(outdir, "THIRD_PARTY_LICENCES.txt"), renderLicences(readNotices(root)));
console.log(
  "Compiled server/dist/main.js and server/dist/account.js. Start main.js with node_modules/.bin/node --max-semi-space-size=4, or with any Node 24.7 or later.",
);

/** Lists worker threads' scripts. Each script needs its own file, because the server starts it by file name. */
function findThreads(): Record<string, string> {
  const scripts = globSync("src/adapters/**/*-thread.ts", { cwd: server });
  return Object.fromEntries(scripts.map((path) => [basename(path, ".ts"), path]));
}

/**
 * Copies the packages with Koffi's binaries for all processors. npm has installed the package for this machine. The
 * others are downloaded from the registry, and must match the checksums in the lockfile.
 * @param target The folder for packages, such as `dist/node_modules`.
 */
function copyKoffiBinaries(target: string): void {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as Lock;
  for (const processor of PROCESSORS) {
    const name = `@koromix/koffi-linux-${processor}`;
    const [installed, copy] = [join(root, "node_modules", name), join(target, name)];
    mkdirSync(copy, { recursive: true });
    const locked = packages[`node_modules/${name}`];
    if (locked === undefined) throw new Error(`package-lock.json doesn't contain ${name}.`);
    if (existsSync(installed)) cpSync(installed, copy, { recursive: true });
    else download(`${name}@${locked.version}`, locked.integrity, copy);
  }
}

function download(name: string, integrity: string, target: string): void {
  using folder = mkdtempDisposableSync(join(tmpdir(), "rbs-koffi-"));
  execFileSync("npm", ["pack", "--silent", "--pack-destination", folder.path, name], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [archive = ""] = readdirSync(folder.path);
  const path = join(folder.path, archive);
  const found = `sha512-${createHash("sha512").update(readFileSync(path)).digest("base64")}`;
  if (found !== integrity)
    throw new Error(`${name} has the checksum ${found}, but package-lock.json has ${integrity}.`);
  execFileSync("tar", ["-xzf", path, "-C", target, "--strip-components", "1"]);
}
