import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { PATIENCE } from "../until.ts";

/**
 * Runs a program until it exits, without the test's own environment variables.
 * @returns Its standard output.
 * @throws {Error} With the output, if the program fails or doesn't exit within `timeoutMs`.
 */
export async function runProgram(
  program: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  timeoutMs = 50_000 * PATIENCE,
): Promise<string> {
  const { PATH = "", HOME = "" } = process.env;
  const env = { PATH, HOME, LANG: "C.UTF-8", ...environment };
  const { stdout } = await promisify(execFile)(program, args, { env, timeout: timeoutMs, killSignal: "SIGKILL" });
  return stdout;
}
