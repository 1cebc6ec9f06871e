import { cpSync, globSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { startCommand } from "./command-line/command-line.ts";
import { copyKoffiBinaries } from "./koffi-binaries.ts";
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
/** The files that the page of the API reference loads from the package, and the licences of the code in them. */
const SWAGGER_UI = ["swagger-ui-bundle.js", "swagger-ui.css", "swagger-ui-bundle.js.LICENSE.txt"];

rmSync(outdir, { recursive: true, force: true });
await build({
  absWorkingDir: server,
  entryPoints: {
    main: "src/main.ts",
    account: "src/cli/account.ts",
    doctor: "src/cli/doctor.ts",
    backup: "src/cli/backup.ts",
    // Runs in a process of its own.
    broker: "src/broker/main.ts",
    ...findThreads(),
  },
  outdir,
  bundle: true,
  platform: "node",
  format: "esm",
  // Dynamic imports stay out of memory until they are needed.
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
// Pages are served unchanged. The packages that they load go beside them.
const web = join(outdir, "web");
cpSync(join(server, "src/web"), web, { recursive: true, filter: (path) => !/\.ts$|tsconfig/.test(path) });
const novnc = fileURLToPath(new URL("..", import.meta.resolve("@novnc/novnc")));
for (const part of ["core", "vendor", "LICENSE.txt"])
  cpSync(join(novnc, part), join(web, "desktop-page/novnc", part), { recursive: true });
const idiomorph = fileURLToPath(new URL("idiomorph.esm.js", import.meta.resolve("idiomorph")));
cpSync(idiomorph, join(web, "kit/idiomorph.esm.js"));
// The broker calls the C library. Koffi loads its binary for the machine's processor from a package.
copyKoffiBinaries(root, join(outdir, "node_modules"));
const swaggerUi = fileURLToPath(new URL(".", import.meta.resolve("swagger-ui-dist/package.json")));
for (const part of ["package.json", "LICENSE", "NOTICE", ...SWAGGER_UI])
  cpSync(join(swaggerUi, part), join(web, "swagger-ui", part));
writeFileSync(join(outdir, "THIRD_PARTY_LICENCES.txt"), renderLicences(readNotices(root)));
console.log(
  "Compiled: server/dist/main.js and server/dist/account.js; start the first with node_modules/.bin/node --max-semi-space-size=4, or any Node 24.7 or later.",
);

/** Worker threads are started by file name (`threadScript`), so each has a file of its own. */
function findThreads(): Record<string, string> {
  const scripts = globSync("src/adapters/*/*-thread.ts", { cwd: server });
  return Object.fromEntries(scripts.map((path) => [basename(path, ".ts"), path]));
}
