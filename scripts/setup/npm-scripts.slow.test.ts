import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { installDependencies } from "./npm-dependencies.mjs";

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "workspace-"));
});

afterEach(() => rmSync(root, { recursive: true }));

function write(file: string, content: object): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), JSON.stringify(content));
}

/** Packs a package whose install script creates a file. @returns The tarball, as a dependency for package.json. */
function pack(name: string): string {
  write(`sources/${name}/package.json`, { name, version: "1.0.0", scripts: { postinstall: "touch has-run" } });
  execFileSync("npm", ["pack", "--silent", `./sources/${name}`], { cwd: root });
  return `file:${name}-1.0.0.tgz`;
}

// Works offline, because all packages are local files.
test("an installation runs only the scripts that package.json allows, with any version of npm", async () => {
  const names = ["allowed", "denied", "unknown"];
  write("package.json", {
    private: true,
    workspaces: ["server"],
    allowScripts: { allowed: true, denied: false, "not-installed": true },
    devDependencies: Object.fromEntries(names.map((name) => [name, pack(name)])),
  });
  write("server/package.json", { name: "ours", version: "1.0.0" });
  execFileSync("npm", ["install", "--package-lock-only", "--ignore-scripts", "--offline", "--silent"], { cwd: root });
  expect(await installDependencies(root, "all")).toMatchObject({ isOk: true });
  const installed = names.map((name) => join(root, "node_modules", name));
  expect(installed.map((folder) => existsSync(join(folder, "package.json")))).toEqual([true, true, true]);
  expect(installed.map((folder) => existsSync(join(folder, "has-run")))).toEqual([true, false, false]);
}, 120_000);
