import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execPath } from "node:process";
import { fileURLToPath } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect, test } from "vitest";
import { startFaultyServer } from "../proof/faulty-server.ts";
import { argumentsFor } from "./support/arguments.ts";
import { runCommand } from "./support/run-command.ts";

const BUILD = fileURLToPath(new URL("../../scripts/packaging/npm.ts", import.meta.url));
const RELEASED = fileURLToPath(new URL("../released", import.meta.url));

/** Packs the current suite. @returns The path of the archive. */
async function pack(folder: string): Promise<string> {
  const dist = join(folder, "dist");
  execFileSync(execPath, [BUILD, "conformance", dist]);
  const name = execFileSync("npm", ["pack", dist, "--silent"], { cwd: folder, encoding: "utf8" }).trim();
  return join(folder, name);
}

const archives = readdirSync(RELEASED).filter((name) => name.endsWith(".tgz"));

// Fake browsers have no pages, so rules about pages can't run.
test.each<[string, (folder: string) => Promise<string>, string[]]>([
  ["the current suite", pack, ["--partial"]],
  ...archives.map((name): [string, () => Promise<string>, string[]] => [
    `the released suite for ${name.replace(".tgz", "")}`,
    async () => join(RELEASED, name),
    [],
  ]),
])("%s, installed in an empty directory, passes on this server", async (_, archiveOf, options) => {
  const folder = await mkdtemp(join(tmpdir(), "rbs-package-"));
  try {
    const elsewhere = join(folder, "elsewhere");
    const archive = await archiveOf(folder);
    await mkdir(elsewhere);
    await writeFile(join(elsewhere, "package.json"), "{}");
    execFileSync("npm", ["install", "--no-audit", "--no-fund", "--silent", archive], { cwd: elsewhere });

    await using server = await startFaultyServer();
    const main = join(elsewhere, "node_modules/@remote-browser/conformance/main.js");
    const args = [
      ...argumentsFor(server),
      "--profile",
      "full",
      "--json",
      "report.json",
      "--html",
      "report.html",
      ...options,
    ];
    const { code, stdout, stderr } = await runCommand(args, { main, cwd: elsewhere });
    expect(stdout).not.toMatch(/^(FAIL|WARN|INCONCLUSIVE) /m);
    expect({ code, stdout, stderr }).toMatchObject({ code: 0 });

    const read = async (path: string): Promise<object> => JSON.parse(await readFile(path, "utf8")) as object;
    const ajv = new Ajv2020();
    addFormats.default(ajv);
    const isReport = ajv.compile(
      await read(join(elsewhere, "node_modules/@remote-browser/conformance/report.schema.json")),
    );
    isReport(await read(join(elsewhere, "report.json")));
    expect(isReport.errors).toBeNull();
    expect(await readdir(join(elsewhere, "node_modules/.bin"))).toContain("remote-browser-conformance");
  } finally {
    await rm(folder, { recursive: true });
  }
});
