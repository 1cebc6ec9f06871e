import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The processors that a compiled server runs on, as Node names them. */
const PROCESSORS = ["x64", "arm64"];

type Lock = { readonly packages: Readonly<Record<string, { readonly version: string; readonly integrity: string }>> };

/**
 * Copies the packages with Koffi's binaries for all processors. npm has installed the one for this machine; the others
 * come from the registry, and must have the checksum in the lock file.
 * @param target The folder of packages, such as `dist/node_modules`.
 */
export function copyKoffiBinaries(root: string, target: string): void {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as Lock;
  for (const processor of PROCESSORS) {
    const name = `@koromix/koffi-linux-${processor}`;
    const [installed, copy] = [join(root, "node_modules", name), join(target, name)];
    mkdirSync(copy, { recursive: true });
    const locked = packages[`node_modules/${name}`];
    if (locked === undefined) throw new Error(`package-lock.json has no ${name}.`);
    if (existsSync(installed)) cpSync(installed, copy, { recursive: true });
    else download(`${name}@${locked.version}`, locked.integrity, copy);
  }
}

function download(name: string, integrity: string, target: string): void {
  const folder = mkdtempSync(join(tmpdir(), "rbs-koffi-"));
  try {
    execFileSync("npm", ["pack", "--silent", "--pack-destination", folder, name], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    const [archive = ""] = readdirSync(folder);
    const path = join(folder, archive);
    const found = `sha512-${createHash("sha512").update(readFileSync(path)).digest("base64")}`;
    if (found !== integrity)
      throw new Error(`${name} has the checksum ${found}, and package-lock.json says ${integrity}.`);
    execFileSync("tar", ["-xzf", path, "-C", target, "--strip-components", "1"]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
