import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "debian-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

/** Runs a script with fake programs first on the PATH. @param programs Shell scripts, by name. */
function run(script: string, args: readonly string[], programs: Readonly<Record<string, string>>) {
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  const env = { PATH: `${folder}:${process.env["PATH"]}` };
  const { status, stdout } = spawnSync("sh", [`deploy/debian/${script}`, ...args], { env, encoding: "utf8" });
  return { status, stdout };
}

test("daily backups keep seven copies", () => {
  const backups = join(folder, "backups");
  for (let day = 1; day <= 9; day += 1) {
    const programs = { date: `echo 2026-03-0${day}`, "remote-browser-service": `echo "$1 ${day}"` };
    expect(run("backup.sh", [backups], programs)).toEqual({ status: 0, stdout: "" });
  }
  const days = [3, 4, 5, 6, 7, 8, 9];
  expect(readdirSync(backups).toSorted()).toEqual(days.map((day) => `2026-03-0${day}.sqlite`));
  expect(readFileSync(join(backups, "2026-03-09.sqlite"), "utf8")).toBe("backup 9\n");
});

test("a failed backup doesn't replace any copy", () => {
  const backups = join(folder, "backups");
  const date = "echo 2026-03-01";
  run("backup.sh", [backups], { date, "remote-browser-service": "echo whole" });
  expect(run("backup.sh", [backups], { date, "remote-browser-service": "echo part; exit 1" }).status).toBe(1);
  expect(readFileSync(join(backups, "2026-03-01.sqlite"), "utf8")).toBe("whole\n");
});

test("installing prints the service's address and the paths to its password and settings, but upgrading doesn't", () => {
  const names = ["aa-enabled", "systemctl", "deb-systemd-helper", "deb-systemd-invoke"];
  const programs = Object.fromEntries(names.map((name) => [name, "exit 1"]));
  const install = (before: string) => run("postinst", ["configure", before], { ...programs, systemctl: "" });
  const { status, stdout } = install("");
  expect(status).toBe(0);
  for (const fact of ["http://127.0.0.1:8080", "first-account.txt", "/etc/remote-browser-service/settings"])
    expect(stdout).toContain(fact);
  expect(install("0.1.0")).toEqual({ status: 0, stdout: "" });
});

test("systemd doesn't restart a server with invalid settings", () => {
  const unit = readFileSync("deploy/debian/remote-browser-service.service", "utf8");
  expect(unit).toMatch(/^RestartPreventExitStatus=78 2$/m);
});
