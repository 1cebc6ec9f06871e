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
/** What the page of the API reference loads of the package, and the licences of what is in its script. */
const SWAGGER_UI = ["swagger-ui-bundle.js", "swagger-ui.css", "swagger-ui-bundle.js.LICENSE.txt"];

rmSync(outdir, { recursive: true, force: true });
await build({
  absWorkingDir: server,
  entryPoints: {
    main: "src/main.ts",
    account: "src/cli/account.ts",
    // They start by their names, in threads of their own.
    "reduce-thread": "src/adapters/parse5/reduce-thread.ts",
    "check-thread": "src/adapters/ajv/check-thread.ts",
    "shrink-thread": "src/adapters/xvnc/shrink-thread.ts",
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
// Pages are served as they are, each with the packages it loads beside it.
const web = join(outdir, "web");
cpSync(join(server, "src/web"), web, { recursive: true, filter: (path) => !/\.ts$|tsconfig/.test(path) });
const novnc = fileURLToPath(new URL("..", import.meta.resolve("@novnc/novnc")));
for (const part of ["core", "vendor", "LICENSE.txt"])
  cpSync(join(novnc, part), join(web, "desktop-page/novnc", part), { recursive: true });
const idiomorph = fileURLToPath(new URL("idiomorph.esm.js", import.meta.resolve("idiomorph")));
cpSync(idiomorph, join(web, "kit/idiomorph.esm.js"));
const swaggerUi = fileURLToPath(new URL(".", import.meta.resolve("swagger-ui-dist/package.json")));
for (const part of ["package.json", "LICENSE", "NOTICE", ...SWAGGER_UI])
  cpSync(join(swaggerUi, part), join(web, "swagger-ui", part));
writeFileSync(join(outdir, "THIRD_PARTY_LICENCES.txt"), renderLicences(readNotices(root)));
console.log(
  "Compiled: server/dist/main.js and server/dist/account.js; start the first with node_modules/.bin/node --max-semi-space-size=4, or any Node 24.7 or later.",
);
