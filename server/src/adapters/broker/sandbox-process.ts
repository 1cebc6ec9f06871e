import { spawn } from "node:child_process";
import { once } from "node:events";
import type { SandboxProcess, ProcessEnd, ProcessOutput } from "../../ports/sandboxes.ts";
import { readOutput } from "./process-output.ts";

/** A killed process that is not gone after this is stuck in the kernel, and nothing more can be done about it. */
const KILL_TIMEOUT_MS = 5000;

// The server holds the other end of standard input and never writes. When it is closed, which the kernel sees to however
// the server ends, everything in the process group is killed. PR_SET_PDEATHSIG alone would leave what the program has
// started, and a jail whose maker dies while it is still being set up.
const LIFELINE = 'exec 3<&0 </dev/null; { read -r _; kill -9 0; } <&3 >/dev/null 2>&1 & exec 3<&-; exec "$@"';

export type SandboxCommand = {
  readonly command: string;
  readonly arguments: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** The folder it starts in. */
  readonly folder: string;
  /** User and group to run as; undefined: the server's. */
  readonly owner: number | undefined;
};

/**
 * Starts a program in a session of its own, so that a Ctrl-C at the server's terminal reaches only the server and that
 * one signal reaches everything it starts.
 */
export async function startSandboxProcess(wanted: SandboxCommand): Promise<SandboxProcess> {
  const identity = wanted.owner === undefined ? {} : { uid: wanted.owner, gid: wanted.owner };
  const child = spawn("/bin/sh", ["-c", LIFELINE, "sh", wanted.command, ...wanted.arguments], {
    ...identity,
    env: wanted.environment,
    cwd: wanted.folder,
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  await once(child, "spawn");
  const { pid } = child;
  if (pid === undefined) throw new Error(`${wanted.command} was started without a process.`);
  child.stdin.on("error", () => {});
  const log = readOutput(child.stderr);
  const output = readOutput(child.stdout);
  // "exit" comes when the program is gone, "close" when everything that holds its pipes is: what it has started, too. The
  // lifeline ends that, since Node closes standard input at the exit.
  let isGone = false;
  const ended = new Promise<ProcessEnd>((resolve) => {
    child.once("close", (code, signal) => {
      isGone = true;
      resolve({ code, signal });
    });
  });
  let killing: Promise<void> | undefined;
  const kill = async (): Promise<void> => {
    // The number may be somebody else's by now.
    if (isGone) return;
    killGroup(pid);
    await orAfter(KILL_TIMEOUT_MS, ended);
  };
  return {
    log,
    output,
    ended,
    whenUp: (sign, timeoutMs, signal) => whenUp(sign, { log, ended, timeoutMs, signal }),
    [Symbol.asyncDispose]: () => (killing ??= kill()),
  };
}

function killGroup(leader: number): void {
  try {
    process.kill(-leader, "SIGKILL");
  } catch (error) {
    // Nobody is left in the group.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

async function orAfter(timeoutMs: number, promise: Promise<unknown>): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, timeoutMs);
  await Promise.race([promise, late]);
  clearTimeout(timer);
}

type Start = {
  readonly log: ProcessOutput;
  readonly ended: Promise<ProcessEnd>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
};

async function whenUp<T>(sign: Promise<T>, { log, ended, timeoutMs, signal }: Start): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const fail = (what: string, cause?: unknown): void =>
    reject(new Error(`The program ${what}. Its log ends: ${log.tail.trim() || "(nothing)"}`, { cause }));
  const leave = (): void => reject(signal.reason);
  const timer = setTimeout(() => fail(`was not ready in ${timeoutMs} ms`), timeoutMs);
  if (signal.aborted) leave();
  signal.addEventListener("abort", leave);
  sign.then(resolve, (cause: unknown) => fail("did not come up", cause));
  void ended.then((end) => fail(`exited with ${end.code ?? end.signal}`));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", leave);
  }
}
