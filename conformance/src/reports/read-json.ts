import { readFile } from "node:fs/promises";
import { ConfigError } from "../config-error.ts";

/**
 * Reads a JSON file named on the command line.
 * @param advice What to do if it is not JSON, as a sentence.
 * @returns Its text and its value.
 * @throws {ConfigError} When it can't be read, or is not JSON.
 */
export async function readJson(
  path: string,
  advice: string,
): Promise<{ readonly text: string; readonly value: unknown }> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    throw new ConfigError([
      `${path} ${code === "ENOENT" ? "does not exist" : `can't be read (${String(code ?? error)})`}.`,
    ]);
  });
  try {
    return { text, value: JSON.parse(text) as unknown };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ConfigError([`${path} is not JSON (${why}). ${advice}`]);
  }
}
