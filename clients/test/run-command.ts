import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { CommandLine } from "./languages/language.ts";

const STOP_MS = 10_000;

/**
 * Runs a command and waits until it exits.
 * @param signal If aborted, kills the command and its children.
 * @returns The exit code. Null if a signal killed the command.
 */
export async function runCommand(
  { program, args, cwd, onLine }: CommandLine,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<number | null> {
  signal.throwIfAborted();
  const stdout = onLine === undefined ? "inherit" : "pipe";
  // Gives the command its own process group, so that its children can also be killed.
  const child = spawn(program, args, { cwd, env: environment, detached: true, stdio: ["ignore", stdout, "inherit"] });
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.once("error", reject);
  child.once("close", resolve);
  if (child.stdout !== null && onLine !== undefined) createInterface({ input: child.stdout }).on("line", onLine);
  let late: NodeJS.Timeout | undefined;
  const stop = (): void => {
    end(child.pid, "SIGTERM");
    late = setTimeout(() => end(child.pid, "SIGKILL"), STOP_MS);
  };
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await promise;
  } finally {
    clearTimeout(late);
    signal.removeEventListener("abort", stop);
  }
}

function end(group: number | undefined, how: NodeJS.Signals): void {
  if (group === undefined) return;
  try {
    process.kill(-group, how);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
