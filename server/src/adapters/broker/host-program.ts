import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { readProcessorMs } from "../../broker/kernel/processor-time.ts";

/** A killed process that still exists after this time hangs in the kernel. */
const KILL_TIMEOUT_MS = 5000;

// The server keeps the other end of standard input open without writing to it. However the server ends, the kernel
// closes it, which kills the whole process group. PR_SET_PDEATHSIG alone would not kill the program's children.
const LIFELINE = 'exec 3<&0 </dev/null; { read -r _; kill -9 0; } <&3 >/dev/null 2>&1 & exec 3<&-; exec "$@"';

export type Command = {
  /** The program and its arguments. */
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** The working directory. */
  readonly folder: string;
  /** User and group to run as; undefined for the server's. */
  readonly owner: number | undefined;
};

type ProgramEnd = { readonly code: number | null; readonly signal: NodeJS.Signals | null };

export type RunningProgram = {
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves when the program and all its children have ended; never rejects. */
  readonly ended: Promise<ProgramEnd>;
  /** The program's processor time in ms, without its children's; 0 if it has ended. */
  readProcessorMs(): Promise<number>;
  /** Kills the program with all its children, and waits for that; safe to call twice. */
  kill(): Promise<void>;
};

/** Starts a program in its own session, which Ctrl-C at the server's terminal doesn't reach. */
export async function startProgram(program: Command): Promise<RunningProgram> {
  const identity = program.owner === undefined ? {} : { uid: program.owner, gid: program.owner };
  const child = spawn("/bin/sh", ["-c", LIFELINE, "sh", ...program.command], {
    ...identity,
    env: program.environment,
    cwd: program.folder,
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  await once(child, "spawn");
  const { pid, stdout, stderr } = child;
  if (pid === undefined) throw new Error(`${program.command[0]} was started without a process.`);
  child.stdin.on("error", () => {});
  // "exit" means that the program has ended, and makes Node close standard input, so the lifeline kills its children.
  // "close" means that all processes with its pipes have ended, including those children.
  let isGone = false;
  const ended = new Promise<ProgramEnd>((resolve) => {
    child.once("close", (code, signal) => {
      isGone = true;
      resolve({ code, signal });
    });
  });
  const kill = async (): Promise<void> => {
    // Another process may have this number now.
    if (isGone) return;
    killGroup(pid);
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, KILL_TIMEOUT_MS);
    await Promise.race([ended, late]);
    clearTimeout(timer);
  };
  let killing: Promise<void> | undefined;
  const readOwnMs = async (): Promise<number> => readProcessorMs(pid);
  return { stdout, stderr, ended, readProcessorMs: readOwnMs, kill: () => (killing ??= kill()) };
}

function killGroup(leader: number): void {
  try {
    process.kill(-leader, "SIGKILL");
  } catch (error) {
    // ESRCH: the group has ended.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
