import { execFile, type ExecFileException } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Contract } from "../../openapi/scripts/contract.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** JVM options that halve the CPU time of a Java program that runs for a few seconds. */
const BRIEF = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"];

/**
 * Runs the version of openapi-generator that openapitools.json pins. One Java program generates all languages, because
 * its start takes most of the time.
 * @param settings The paths of YAML files with the generator's settings, relative to the workspace.
 * @returns For each path in `settings`, the generated files by path.
 * @throws {Error} If the generator fails (the error contains its output), or if Java is missing.
 */
export async function runGenerator(
  settings: readonly string[],
  contract: Contract,
): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>> {
  if (settings.length === 0) return new Map();
  const own = await mkdtemp(join(tmpdir(), "generated-"));
  const input = `${own}/openapi.json`;
  const folderOf = (at: number): string => join(own, String(at));
  try {
    await writeFile(input, JSON.stringify(contract));
    for (const [at, path] of settings.entries()) {
      const text = await readFile(join(ROOT, path), "utf8");
      await writeFile(`${folderOf(at)}.yaml`, `${text}\ninputSpec: ${input}\noutputDir: ${folderOf(at)}\n`);
    }
    const args = [...BRIEF, "-jar", await findGeneratorJar(), "batch", "--fail-fast"];
    const files = settings.map((_, at) => `${folderOf(at)}.yaml`);
    await promisify(execFile)("java", [...args, ...files], { cwd: ROOT, maxBuffer: 2 ** 26 });
    return new Map(
      await Promise.all(settings.map(async (path, at) => [path, await readFolder(folderOf(at))] as const)),
    );
  } catch (error) {
    throw new Error(`openapi-generator failed with ${settings.join(", ")}:\n${describe(error)}`, { cause: error });
  } finally {
    await rm(own, { recursive: true });
  }
}

/** Reads all files below a folder. The map's keys are paths relative to the folder. */
async function readFolder(folder: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const texts = files.map(async (file) => [file.slice(folder.length + 1), await readFile(file, "utf8")] as const);
  return new Map(await Promise.all(texts));
}

function describe(error: unknown): string {
  const { code, stdout = "", stderr = "", message = "" } = error as Partial<ExecFileException>;
  if (code === "ENOENT") return "Java is not installed. `npm run setup` can install it on Debian.";
  return (`${stderr}${stdout}`.trim() || message).split("\n").slice(-40).join("\n");
}

const CLI = join(
  dirname(createRequire(import.meta.url).resolve("@openapitools/openapi-generator-cli/package.json")),
  "main.js",
);

type Settings = { readonly "generator-cli": { readonly version: string; readonly storageDir: string } };

/**
 * Returns the path of the pinned openapi-generator. Downloads it from Maven Central if it is missing, and renames it
 * once it is complete, so concurrent calls are safe.
 * @throws {Error} If the download fails.
 */
async function findGeneratorJar(): Promise<string> {
  const settings = JSON.parse(await readFile(join(ROOT, "openapitools.json"), "utf8")) as Settings;
  const { version, storageDir } = settings["generator-cli"];
  const jar = join(ROOT, storageDir, `${version}.jar`);
  if (existsSync(jar)) return jar;
  await mkdir(dirname(jar), { recursive: true });
  const folder = await mkdtemp(join(dirname(jar), "fetched-"));
  try {
    const elsewhere = join(folder, "openapitools.json");
    await writeFile(elsewhere, JSON.stringify({ "generator-cli": { version, storageDir: folder } }));
    await promisify(execFile)(process.execPath, [CLI, "version", "--openapitools", elsewhere], { cwd: folder });
    await rename(join(folder, `${version}.jar`), jar);
    return jar;
  } finally {
    await rm(folder, { recursive: true });
  }
}
