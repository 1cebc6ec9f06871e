import { readFile } from "node:fs/promises";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import schema from "../../report.schema.json" with { type: "json" };
import { ConfigError } from "../config-error.ts";
import { REPORT_SCHEMA_VERSION, type RunReport } from "./report.ts";

const ajv = new Ajv2020();
addFormats.default(ajv);
const fits = ajv.compile<RunReport>(schema);

const ADVICE = "Use a report that this suite wrote with --json.";

/**
 * Reads the JSON report of an earlier run.
 * @throws {ConfigError} When the file is not a report, or has another schema version.
 */
export async function readReport(path: string): Promise<RunReport> {
  const { value } = await readJson(path, ADVICE);
  const { schemaVersion } = (value ?? {}) as { schemaVersion?: unknown };
  if (typeof schemaVersion === "number" && schemaVersion !== REPORT_SCHEMA_VERSION) {
    throw new ConfigError([
      `${path} has schema version ${schemaVersion}, but this suite compares reports of version ${REPORT_SCHEMA_VERSION}: ` +
        "create a new report with this version of the suite.",
    ]);
  }
  if (fits(value)) return value;
  const { instancePath = "", message = "does not fit" } = fits.errors?.[0] ?? {};
  throw new ConfigError([`${path} is not a report of this suite: ${instancePath || "its top"} ${message}. ${ADVICE}`]);
}

/**
 * Reads a JSON file named on the command line.
 * @param advice A sentence that tells the user what to do if the file is not JSON.
 * @returns The file's text and the parsed value.
 * @throws {ConfigError} When the file can't be read, or is not JSON.
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
