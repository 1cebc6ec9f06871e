import { cpSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { readNotices } from "./notices/packages.ts";
import { renderLicences } from "./notices/render-notices.ts";

/**
 * `npm run build`: the server and its command line below server/dist, in a file each and the parts they share; Node 24 runs them without
 * node_modules.
 */
const root = fileURLToPath(new URL("..", import.meta.url));
const server = join(root, "server");
const outdir = join(server, "dist");

rmSync(outdir, { recursive: true, force: true });
await build({
  absWorkingDir: server,
  entryPoints: {
    main: "src/main.ts",
    account: "src/account.ts",
    // They start by their names, in threads of their own.
    "reduce-thread": "src/adapters/html/reduce-thread.ts",
    "check-thread": "src/adapters/ajv/check-thread.ts",
  },
  outdir,
  bundle: true,
  platform: "node",
  format: "esm",
  // What is imported late stays out of memory until then.
  splitting: true,
  target: "node24",
  sourcemap: "linked",
  legalComments: "none",
  // Packages written for CommonJS call `require` for Node's own modules, which an ES module does not have.
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
  },
  logLevel: "warning",
});
// The page of remote desktops is served as it is, with noVNC beside it.
const page = join(outdir, "desktop-page");
cpSync(join(server, "src/desktop-page"), page, { recursive: true, filter: (path) => !/\.ts$|tsconfig/.test(path) });
const novnc = fileURLToPath(new URL("..", import.meta.resolve("@novnc/novnc")));
for (const part of ["core", "vendor", "LICENSE.txt"])
  cpSync(join(novnc, part), join(page, "novnc", part), { recursive: true });
writeFileSync(join(outdir, "THIRD_PARTY_LICENCES.txt"), renderLicences(readNotices(root)));
console.log(
  "Compiled: server/dist/main.js and server/dist/account.js; start the first with node_modules/.bin/node --max-semi-space-size=4, or any Node 24.",
);
