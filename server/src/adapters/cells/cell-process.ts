import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { Readable } from "node:stream";
import type { CellProcess, ProcessEnd } from "../../ports/isolation.ts";

/** A killed process that is not gone after this is stuck in the kernel, and nothing more can be done about it. */
const KILL_TIMEOUT_MS = 5000;

export type CellCommand = {
  readonly command: string;
  readonly arguments: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly owner: number | undefined;
  /** Ends everything the process started, itself first. */
  kill(child: ChildProcess): void;
  /** Tells from what the process says when the ways are open. */
  waysOpen(stderr: Readable): Promise<void>;
};

/** Starts a process in a session of its own, so that a Ctrl-C at the server's terminal reaches only the server. */
export async function startCellProcess(wanted: CellCommand): Promise<CellProcess> {
  const identity = wanted.owner === undefined ? {} : { uid: wanted.owner, gid: wanted.owner };
  const child = spawn(wanted.command, wanted.arguments, {
    ...identity,
    env: wanted.environment,
    stdio: ["ignore", "ignore", "pipe", "pipe"],
    detached: true,
  });
  // "close" comes when the last process that holds the pipes is gone, "exit" when the first one is.
  const closed = new Promise<ProcessEnd>((resolve) => {
    child.once("close", (code, signal) => resolve({ code, signal }));
  });
  await once(child, "spawn");
  const { pid, stderr } = child;
  const result = child.stdio[3];
  if (pid === undefined || stderr === null || !(result instanceof Readable)) {
    throw new Error(`${wanted.command} was started without its pipes.`);
  }
  result.resume();
  let killing: Promise<void> | undefined;
  return {
    pid,
    stderr,
    result,
    ended: closed,
    waysOpen: wanted.waysOpen(stderr),
    [Symbol.asyncDispose]: () => (killing ??= kill(child, wanted, closed)),
  };
}

async function kill(child: ChildProcess, { kill: end }: CellCommand, closed: Promise<ProcessEnd>): Promise<void> {
  end(child);
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, KILL_TIMEOUT_MS);
  await Promise.race([closed, late]);
  clearTimeout(timer);
}
