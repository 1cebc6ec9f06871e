import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { installPackages } from "./system-packages.mjs";
import { SYSTEM_PARTS } from "./system-parts.mjs";

const PARTS = SYSTEM_PARTS.filter(({ name }) => ["Chromium", "socat"].includes(name));

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "apt-"));
  vi.stubEnv("PATH", `${folder}:${process.env["PATH"] ?? ""}`);
  program("apt-get", `echo "$DEBIAN_FRONTEND: $@" >> ${folder}/log`);
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

function program(name: string, script: string): void {
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, name), 0o755);
}

function calls(): readonly string[] {
  return readFileSync(join(folder, "log"), "utf8")
    .trim()
    .split("\n")
    .map((line) => line.replace("--quiet -o DPkg::Lock::Timeout=120 ", ""));
}

test("the package lists are downloaded once, and one command installs all missing packages without prompting", async () => {
  program("apt-cache", `printf 'chromium:\\n  Candidate: 1\\nsocat:\\n  Candidate: 2\\n'`);
  await expect(installPackages(PARTS, [])).resolves.toMatchObject({ isOk: true });
  expect(calls()).toStrictEqual([
    "noninteractive: update",
    "noninteractive: install --yes --no-install-recommends chromium socat",
  ]);
});

test("an unavailable package doesn't prevent the installation of other packages", async () => {
  program("apt-cache", `printf 'chromium:\\n  Candidate: (none)\\nsocat:\\n  Candidate: 2\\n'`);
  await installPackages(PARTS, []);
  expect(calls()[1]).toBe("noninteractive: install --yes --no-install-recommends socat");
});

test("if the package lists can't be downloaded, apt's output is returned and nothing is installed", async () => {
  program("apt-get", `echo "$@" >> ${folder}/log; echo 'no network' >&2; exit 100`);
  await expect(installPackages(PARTS, [])).resolves.toStrictEqual({ isOk: false, output: "no network\n" });
  expect(calls()).toHaveLength(1);
});

test("users other than root call apt through sudo", async () => {
  program("apt-cache", "true");
  program("sudo", `echo "sudo $@" >> ${folder}/log`);
  await installPackages(PARTS, ["sudo", "-n"]);
  expect(calls()).toStrictEqual(["sudo -n env DEBIAN_FRONTEND=noninteractive apt-get update"]);
});
