import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const MAIN = fileURLToPath(new URL("../src/main.ts", import.meta.url));

/** A running command and its output. Disposing it kills the process. */
export type Command = AsyncDisposable & {
  readonly child: ChildProcess;
  readonly output: { stdout: string; stderr: string };
  /** The port that the command prints. */
  readonly port: Promise<number>;
  /** Resolves with the exit code. */
  readonly ended: Promise<number | null>;
};

/** @param main The file to run. */
export function startCommand(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  main = MAIN,
): Command {
  const { PATH = "" } = process.env;
  // Kill the command if the test process is killed. setpriv exists only on Linux.
  const tie = process.platform === "linux" ? ["setpriv", "--pdeathsig", "KILL", "--"] : [];
  const [program = "", ...rest] = [...tie, process.execPath, main, ...args];
  const child = spawn(program, rest, { env: { PATH, ...environment } });
  const output = { stdout: "", stderr: "" };
  const { promise: port, resolve, reject } = Promise.withResolvers<number>();
  port.catch(() => {});
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (output.stderr += chunk));
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    output.stdout += chunk;
    const [, found] = /127\.0\.0\.1:(\d+) /.exec(output.stdout) ?? [];
    if (found !== undefined) resolve(Number(found));
  });
  const ended = once(child, "close").then(([code]) => {
    reject(new Error(`The command exited with ${code}: ${output.stderr}`));
    return code as number | null;
  });
  return {
    child,
    output,
    port,
    ended,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
