import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openHome } from "./support/home.ts";
import { REPOSITORY, runScript } from "./support/run-script.ts";

/** Numbers of processors in ELF files: elf(5). */
const MACHINES = { x64: 62, arm64: 183 };

test("the compiled server has the binaries for both kinds of processor, and runs without the sources' packages", async () => {
  execFileSync(process.execPath, [join(REPOSITORY, "scripts/build.ts")]);
  for (const [processor, machine] of Object.entries(MACHINES)) {
    const file = `@koromix/koffi-linux-${processor}/linux_${processor}/koffi.node`;
    const binary = readFileSync(join(REPOSITORY, "server/dist/node_modules", file));
    expect({ file, machine: binary.readUInt16LE(18) }).toEqual({ file, machine });
  }
  const { stdout } = await runScript("../dist/account.js", ["help"], { settings: {} });
  expect(stdout).toContain("--email");
});

test.skipIf(process.getuid?.() !== 0)("a server without Koffi's binary names the missing package", async () => {
  await using home = await openHome();
  const empty = join(home.folder, "empty");
  mkdirSync(empty);
  const replacedFiles = { [join(REPOSITORY, "node_modules/@koromix")]: empty };
  const { code, stderr } = await runScript("main.ts", [], { settings: home.settings, replacedFiles });
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringContaining(`@koromix/koffi-linux-${process.arch} is missing`),
  });
});
