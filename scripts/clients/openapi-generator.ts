import { type ExecFileException, execFile } from "node:child_process";
import { mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Contract } from "../../openapi/scripts/contract.ts";
import { findGeneratorJar } from "./generator-jar.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** For a Java program that runs for seconds: it takes half of the processor time. */
const BRIEF = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"];

/**
 * Runs the openapi-generator that openapitools.json pins, and fetches it from Maven Central the first time.
 * @param settings The path of a YAML file with the generator's settings, relative to the workspace, or the name of a
 * generator.
 * @returns The generated files, by path.
 * @throws {Error} When it fails, with the generator's output, or when Java is missing.
 */
export async function runGenerator(settings: string, contract: Contract): Promise<ReadonlyMap<string, string>> {
  const own = await mkdtemp(join(tmpdir(), "generated-"));
  const [input, folder] = [join(own, "openapi.json"), join(own, "output")];
  try {
    await writeFile(input, JSON.stringify(contract));
    const how = settings.endsWith(".yaml") ? ["-c", settings] : ["-g", settings];
    const args = [...BRIEF, "-jar", await findGeneratorJar(ROOT), "generate", "-i", input, "-o", folder, ...how];
    await promisify(execFile)("java", args, { cwd: ROOT, maxBuffer: 2 ** 26 });
    return await readFolder(folder);
  } catch (error) {
    throw new Error(`openapi-generator failed with ${settings}:\n${wordsOf(error)}`, { cause: error });
  } finally {
    await rm(own, { recursive: true });
  }
}

type Said = { readonly stdout: string; readonly stderr: string };

/** Every file below a folder, by its path relative to the folder, with forward slashes. */
async function readFolder(folder: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const texts = files.map(async (file) => [file.slice(folder.length + 1), await readFile(file, "utf8")] as const);
  return new Map(await Promise.all(texts));
}

function wordsOf(error: unknown): string {
  const { code, stdout = "", stderr = "", message = "" } = error as Partial<ExecFileException> & Partial<Said>;
  if (code === "ENOENT") return "It needs Java, which is not installed: `npm run setup` installs it where it can.";
  return (`${stderr}${stdout}`.trim() || message).split("\n").slice(-40).join("\n");
}
