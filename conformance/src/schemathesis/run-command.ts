import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import type { Environment } from "../options.ts";

export type Ended = {
  /** Null if the program could not be started, or was killed by a signal. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly isLate: boolean;
};

export type Running = {
  readonly timeoutMs: number;
  readonly cwd?: string;
  readonly env: Environment;
  /** Aborting it kills the program. */
  readonly interruption?: AbortSignal | undefined;
};

/** Runs a program and waits for it to exit. Never rejects: the code is null if the program can't be started. */
export async function run(command: readonly string[], { timeoutMs, cwd, env, interruption }: Running): Promise<Ended> {
  if (interruption?.aborted === true) return { code: null, stdout: "", stderr: "", isLate: false };
  const [program = "", ...rest] = command;
  const child = spawn(program, rest, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    child.kill("SIGKILL");
  }, timeoutMs);
  const kill = (): void => void child.kill("SIGKILL");
  interruption?.addEventListener("abort", kill);
  const ended = new Promise<{ code: number | null; problem: string }>((resolve) => {
    child.once("error", ({ message }) => resolve({ code: null, problem: message }));
    child.once("close", (code) => resolve({ code, problem: "" }));
  });
  const [stdout, stderr, { code, problem }] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  clearTimeout(timer);
  interruption?.removeEventListener("abort", kill);
  return { code, stdout, stderr: `${stderr}${problem}`, isLate };
}
