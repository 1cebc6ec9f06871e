import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const PACKAGE = createRequire(import.meta.url).resolve("@redocly/cli/package.json");
const CLI = join(dirname(PACKAGE), "bin/cli.js");

type RedoclyResult = { readonly ok: boolean; readonly stdout: string; readonly stderr: string };

/** Runs Redocly in the contract's folder, without telemetry or update checks. */
export function redocly(...args: readonly string[]): Promise<RedoclyResult> {
  const options = {
    cwd: dirname(import.meta.dirname),
    env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
    maxBuffer: Infinity,
  };
  return new Promise((settle) => {
    execFile(process.execPath, [CLI, ...args], options, (error, stdout, stderr) => {
      settle({ ok: error === null, stdout, stderr });
    });
  });
}
