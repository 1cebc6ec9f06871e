import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { KEY } from "../support/servers/deployment.ts";
import { openHome } from "../support/servers/home.ts";
import { startPostgres } from "../support/databases/postgres.ts";
import { startServer } from "../support/servers/real-server.ts";
import { REPOSITORY, runScript } from "../support/machine/run-script.ts";

const DIST = join(REPOSITORY, "server/dist");

/** Processor architectures in ELF files: elf(5). */
const MACHINES = { x64: 62, arm64: 183 };

beforeAll(() => void execFileSync(process.execPath, [join(REPOSITORY, "scripts/build.ts")]), 60_000);

test("the compiled server contains binaries for both processor architectures, and runs without the sources' packages", async () => {
  for (const [processor, machine] of Object.entries(MACHINES)) {
    const file = `@koromix/koffi-linux-${processor}/linux_${processor}/koffi.node`;
    const binary = readFileSync(join(DIST, "node_modules", file));
    expect({ file, machine: binary.readUInt16LE(18) }).toEqual({ file, machine });
  }
  const { stdout } = await runScript("../dist/account.js", ["help"], { settings: {} });
  expect(stdout).toContain("--email");
});

test("the compiled server and its commands use PostgreSQL without the sources' packages", async () => {
  await using postgres = await startPostgres();
  const url = await postgres.createDatabase();
  await using home = await openHome({ RBS_DATABASE_URL: url, RBS_SECRET_KEY: KEY });
  // A folder that has no `node_modules` in any parent folder.
  const folder = join(home.folder, "compiled");
  cpSync(DIST, folder, { recursive: true });
  const toFile = (name: string): string => relative(join(REPOSITORY, "server/src"), join(folder, name));
  await using server = await startServer({ isFake: true, file: toFile("main.js") }, home);
  const address = await server.open();
  const { stdout, stderr } = await runScript(toFile("account.js"), ["list"], { settings: home.settings });
  expect([JSON.parse(stdout), stderr]).toMatchObject([[{ email: "operator@localhost", openBrowsers: 1 }], ""]);
  await server.close(address);
  expect(await postgres.query("select reason from ended_browsers", url)).toEqual([{ reason: "requested" }]);
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
