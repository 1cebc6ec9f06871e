import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "workspace-"));
  mkdirSync(join(folder, "scripts"));
  copyFileSync("scripts/run.sh", join(folder, "scripts/run.sh"));
  writeFileSync(
    join(folder, "scripts/setup.mjs"),
    'import { writeFileSync } from "node:fs"; console.log("installed"); writeFileSync("scope", process.argv[3]);',
  );
});

afterEach(() => rmSync(folder, { recursive: true }));

function installPackages(): void {
  mkdirSync(join(folder, "node_modules/.bin"), { recursive: true });
  symlinkSync(process.execPath, join(folder, "node_modules/.bin/node"));
}

function run(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync("sh", ["scripts/run.sh", ...args], { cwd: folder, encoding: "utf8" });
  return { status, stdout, stderr };
}

test("a command runs after its scope's set-up, which doesn't write to stdout", () => {
  expect(run("start", "echo", "done")).toEqual({ status: 0, stdout: "done\n", stderr: "installed\n" });
  expect(readFileSync(join(folder, "scope"), "utf8")).toBe("start");
});

test("a command doesn't run if the set-up fails", () => {
  writeFileSync(join(folder, "scripts/setup.mjs"), "process.exit(1);");
  expect(run("start", "echo", "done")).toEqual({ status: 1, stdout: "", stderr: "" });
});

test("--version prints the workspace's version for every command", () => {
  writeFileSync(join(folder, "package.json"), '{"version":"1.2.3"}');
  expect(run("all", "vitest", "--version")).toEqual({ status: 0, stdout: "1.2.3\n", stderr: "" });
  expect(existsSync(join(folder, "scope"))).toBe(false);
});

test.each(["--help", "-h"])("%s installs nothing", (question) => {
  installPackages();
  expect(run("all", "echo", "command", question)).toEqual({ status: 0, stdout: `command ${question}\n`, stderr: "" });
  expect(existsSync(join(folder, "scope"))).toBe(false);
});

test("without npm packages, --help says how to install them", () => {
  const stderr = "Install the npm packages first: npm run setup -- --for dependencies\n";
  expect(run("all", "echo", "--help")).toEqual({ status: 1, stdout: "", stderr });
  expect(existsSync(join(folder, "scope"))).toBe(false);
});

test("all workspace commands except setup start through scripts/run.sh", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
  const others = Object.keys(scripts).filter((name) => !/(^| )sh scripts\/run\.sh \w/.test(scripts[name] ?? ""));
  expect(others).toEqual(["setup"]);
});
