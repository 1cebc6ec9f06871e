import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import schema from "../../report.schema.json" with { type: "json" };
import { ConfigError } from "../config-error.ts";
import { readJson } from "./read-json.ts";
import { REPORT_SCHEMA_VERSION, type RunReport } from "./report.ts";

const ajv = new Ajv2020();
addFormats.default(ajv);
const fits = ajv.compile<RunReport>(schema);

const ADVICE = "Use a report that this suite wrote with --json.";

/**
 * Reads the JSON report of an earlier run.
 * @throws {ConfigError} When the file is not a report, or has another version.
 */
export async function readReport(path: string): Promise<RunReport> {
  const { value } = await readJson(path, ADVICE);
  const { schemaVersion } = (value ?? {}) as { schemaVersion?: unknown };
  if (typeof schemaVersion === "number" && schemaVersion !== REPORT_SCHEMA_VERSION) {
    throw new ConfigError([
      `${path} has schema version ${schemaVersion}, but this suite compares reports of version ${REPORT_SCHEMA_VERSION}: ` +
        "write a new one with this version of the suite.",
    ]);
  }
  if (fits(value)) return value;
  const { instancePath = "", message = "does not fit" } = fits.errors?.[0] ?? {};
  throw new ConfigError([`${path} is not a report of this suite: ${instancePath || "its top"} ${message}. ${ADVICE}`]);
}
