import { spawn } from "node:child_process";
import { once } from "node:events";
import { execPath } from "node:process";
import { fileURLToPath } from "node:url";

export type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

type CommandOptions = {
  /** Path of the program. Default: the suite's sources. */
  readonly main?: string;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Called with the program's progress output. It can kill the process. */
  readonly onProgress?: (text: string, kill: (signal: NodeJS.Signals) => void) => void;
};

const MAIN = fileURLToPath(new URL("../../src/main.ts", import.meta.url));

/** Runs the suite's command and waits for it to exit. */
export async function runCommand(args: readonly string[], options: CommandOptions = {}): Promise<Ended> {
  const { main = MAIN, cwd, env = {}, onProgress } = options;
  const child = spawn(execPath, [main, ...args], {
    ...(cwd === undefined ? {} : { cwd }),
    env: { ...env, PATH: "/usr/local/bin:/usr/bin:/bin", NODE_NO_WARNINGS: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
    onProgress?.(stderr, (signal) => void child.kill(signal));
  });
  const [code] = (await once(child, "close")) as [number | null];
  return { code, stdout, stderr };
}
