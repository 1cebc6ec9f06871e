import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { readScope } from "./run-setup.mjs";

const SETUP = fileURLToPath(new URL("../setup.mjs", import.meta.url));

function setup(args: readonly string[], path = process.env["PATH"]): { exitCode: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [SETUP, ...args], {
    env: { ...process.env, PATH: path },
    encoding: "utf8",
  });
  return { exitCode: status, output: stdout + stderr };
}

test.each([
  [[], "all"],
  [["--yes"], "all"],
  [["--for", "test"], "test"],
  [["--for", "start", "--yes"], "start"],
  [["--for", "all"], "all"],
  [["--for", "server"], "server"],
  [["--for", "nothing"], undefined],
  [["--for"], undefined],
  [["--why"], undefined],
])("the arguments %j mean %s", (args, scope) => {
  expect(readScope(args)).toBe(scope);
});

test("if nothing is missing, the set-up installs nothing", () => {
  const { exitCode, output } = setup(["--for", "test"]);
  expect(output).not.toMatch(/installed|failed/);
  expect(exitCode).toBe(0);
});

test("if no packages are missing, the set-up prints nothing", () => {
  expect(setup(["--for", "dependencies"])).toStrictEqual({ exitCode: 0, output: "" });
});

test("a set-up that can't install system packages fails, and says what is missing and how to install it", () => {
  const { exitCode, output } = setup(["--for", "start"], tmpdir());
  expect(output).toMatch(/^ {2}bubblewrap +the sandbox around each browser$/m);
  expect(output).toContain("Can't continue without: Xvnc, Openbox, bubblewrap, util-linux.");
  expect(output).toContain("bubblewrap util-linux");
  expect(output).toContain("Set-up: not complete");
  // The output lists no programs that only tests need.
  expect(output).not.toMatch(/Python|chromedriver|Docker|tinyproxy|xdotool|VNC viewer/);
  expect(exitCode).toBe(1);
});
