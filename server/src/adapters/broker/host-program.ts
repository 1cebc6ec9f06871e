import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { readProcessorMs } from "../../broker/kernel/processor-time.ts";

/** A killed process that still exists after this time is stuck in the kernel. */
const KILL_TIMEOUT_MS = 5000;

// The server keeps its end of standard input open and never writes to it. Whenever the server exits, even if killed,
// the kernel closes that end, and the shell kills the process group. PR_SET_PDEATHSIG alone wouldn't kill the children.
const LIFELINE = 'exec 3<&0 </dev/null; { read -r _; kill -9 0; } <&3 >/dev/null 2>&1 & exec 3<&-; exec "$@"';

export type Command = {
  /** The program and its arguments. */
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** The working directory. */
  readonly folder: string;
  /** User and group of the program; undefined for the server's own. */
  readonly owner: number | undefined;
};

type ProgramEnd = { readonly code: number | null; readonly signal: NodeJS.Signals | null };

export type RunningProgram = {
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves when the program and all its children have exited; never rejects. */
  readonly ended: Promise<ProgramEnd>;
  /** Returns the program's processor time in ms, without its children's; 0 if the program has exited. */
  readProcessorMs(): Promise<number>;
  /** Kills the program and all its children, and waits until they have exited. Safe to call twice. */
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
  if (pid === undefined) throw new Error(`${program.command[0]} was started, but has no process id.`);
  child.stdin.on("error", () => {});
  // "exit" means that the program has exited. Node then closes standard input, so the lifeline kills the program's
  // children. "close" means that all processes that use the pipes, including children, have exited.
  let isGone = false;
  const ended = new Promise<ProgramEnd>((resolve) => {
    child.once("close", (code, signal) => {
      isGone = true;
      resolve({ code, signal });
    });
  });
  const kill = async (): Promise<void> => {
    // The kernel may have reused the process id.
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
    // ESRCH: the process group no longer exists.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
