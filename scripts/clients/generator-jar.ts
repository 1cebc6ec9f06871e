import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

const CLI = join(
  dirname(createRequire(import.meta.url).resolve("@openapitools/openapi-generator-cli/package.json")),
  "main.js",
);

type Settings = { readonly "generator-cli": { readonly version: string; readonly storageDir: string } };

/**
 * Returns the path of the openapi-generator that openapitools.json pins, and fetches it from Maven Central if it is
 * missing. The file appears atomically, so concurrent calls are safe.
 * @param root The workspace.
 * @throws {Error} When it can't be fetched.
 */
export async function findGeneratorJar(root: string): Promise<string> {
  const settings = JSON.parse(await readFile(join(root, "openapitools.json"), "utf8")) as Settings;
  const { version, storageDir } = settings["generator-cli"];
  const jar = join(root, storageDir, `${version}.jar`);
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
