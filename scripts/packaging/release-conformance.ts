import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempDisposableSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startCommand } from "../../command-line/src/command-line.ts";

startCommand({
  usage: `npm run release -w conformance

Packs the suite in conformance/released, named after the contract's version. Later servers must pass it unchanged, so never
replace a published file.
`,
});
const root = fileURLToPath(new URL("../..", import.meta.url));
const contract = JSON.parse(readFileSync(join(root, "openapi/generated/openapi.json"), "utf8")) as {
  readonly info: { readonly version: string };
};
const name = `contract-${contract.info.version}.tgz`;
const released = join(root, "conformance/released");

if (existsSync(join(released, name))) {
  process.stderr.write(`conformance/released/${name} exists already. Raise info.version of the contract first.\n`);
  process.exitCode = 1;
} else {
  using folder = mkdtempDisposableSync(join(tmpdir(), "release-"));
  const dist = join(folder.path, "dist");
  execFileSync(process.execPath, [join(root, "scripts/packaging/npm.ts"), "conformance", dist]);
  const output = execFileSync("npm", ["pack", dist, "--silent"], { cwd: folder.path, encoding: "utf8" });
  mkdirSync(released, { recursive: true });
  copyFileSync(join(folder.path, output.trim()), join(released, name));
  process.stdout.write(`conformance/released/${name}\n`);
}
