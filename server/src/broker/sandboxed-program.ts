import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, closeSync, openSync, readFileSync, readSync, writeFileSync } from "node:fs";
import { lchown, mkdir } from "node:fs/promises";
import { Socket } from "node:net";
import { dirname, join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { kill, pid as ownPid } from "node:process";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import type { Bounds } from "./bounds.ts";
import {
  type InstalledProgram,
  type SandboxFolder,
  type Run,
  toBubblewrapArguments,
  toOwnFds,
  toScript,
} from "./bubblewrap.ts";
import { toFilter } from "./kernel/system-call-filter.ts";
import { killProcess, limitBuffers, listenUnix, newSocketPair, openNetwork, openProcess, reap } from "./kernel/libc.ts";
import { readProcessorMs } from "./kernel/processor-time.ts";
import { START_TIMEOUT_MS } from "./requests.ts";

/** If a killed sandbox still exists after this time, it is stuck in the kernel. */
const KILL_TIMEOUT_MS = 5000;
const REAP_MS = 5;

/** Maximum number of bytes of bubblewrap's output that an error quotes. */
const LOG_BYTES = 4000;

/** proc_pid_oom_score_adj(5). */
const OOM_SCORE = "/proc/self/oom_score_adj";
const SANDBOX_SCORE = "500";

/** The shell that every program is started from. */
const SHELL = openSync("/bin/sh", "r");

/** Filters for bounds that count shared memory, and for bounds that don't. */
const FILTERS = { counted: toFilters(true), uncounted: toFilters(false) };

function toFilters(sharedMemory: boolean): { readonly browser: Buffer; readonly other: Buffer } {
  const toOne = (namespaces: boolean): Buffer => toFilter({ namespaces, sharedMemory });
  return { browser: toOne(true), other: toOne(false) };
}

type ProgramEnd = { readonly code: number | null; readonly signal: NodeJS.Signals | null };

/** A program in bubblewrap, or a shell until `run` is called. The caller owns the sockets and the descriptor. */
export type SandboxedProgram = {
  /** The program's standard output and error, unread. */
  readonly output: Socket;
  readonly log: Socket;
  /** A descriptor of the program's network namespace. */
  readonly network: number;
  /** Runs the program. Call it at most once. */
  run(run: Run): void;
  /** Resolves when the program and all its children have ended; never rejects. */
  readonly ended: Promise<ProgramEnd>;
  /** Returns the program's processor time in ms, without its children's; 0 if the program has ended. */
  readProcessorMs(): number;
  /** Kills the program and all its children, and waits until they have ended. Safe to call twice. */
  kill(): Promise<void>;
};

/**
 * Starts bubblewrap for a program, and returns once its namespaces exist. Bubblewrap ends when the broker does, because
 * the broker is the first process in their process namespace.
 * @throws {Error} With bubblewrap's output, if bubblewrap exits early; only the program's folder remains.
 */
export async function startSandboxed(
  folder: SandboxFolder,
  program: InstalledProgram,
  bounds: Bounds,
): Promise<SandboxedProgram> {
  await using acquired = new AsyncDisposableStack();
  const { socket: output, other: outputEnd } = newSockets(acquired);
  const { socket: log, other: logEnd, fd: logFd } = newSockets(acquired);
  const listener = program.listensOn === undefined ? [] : [await listenFor(folder, program.listensOn)];
  const given = toBubblewrapArguments(folder, program);
  const bubblewrap = startBubblewrap(folder, toCommand(folder, bounds, given), [outputEnd, logEnd, ...listener]);
  await once(bubblewrap, "spawn");
  const startedMs = performance.now();
  const exited = new Promise<ProgramEnd>((resolve) => {
    bubblewrap.once("exit", (code, signal) => resolve({ code, signal }));
  });
  acquired.defer(async () => {
    bubblewrap.kill("SIGKILL");
    await exited.then(endOrphans);
  });
  const { info, filter } = toOwnFds(program);
  const filters = FILTERS[bounds.countsSharedMemory ? "counted" : "uncounted"];
  (bubblewrap.stdio[filter] as Writable).on("error", () => {}).end(filters[program.isBrowser ? "browser" : "other"]);
  using _late = setTimeout(() => bubblewrap.kill("SIGKILL"), START_TIMEOUT_MS);
  const pid = await Promise.race([readFirstPid(bubblewrap.stdio[info] as Readable), exited.then(() => undefined)]);
  const first = pid === undefined ? undefined : holdProcess(pid);
  if (first === undefined) {
    const { code, signal } = await exited;
    const after = `${code ?? signal} after ${Math.round(performance.now() - startedMs)} ms`;
    throw new Error(`A sandbox did not start: bubblewrap exited with ${after}. It wrote: ${readText(logFd)}`);
  }
  acquired.defer(() => first.release());
  acquired.defer(() => closeSync(first.network));
  limitBuffers(first.network);
  if (bounds.entrances.length === 0) await bound(first.pid, bounds);
  const ended = exited.then(async (end) => {
    await first.release();
    return end;
  });
  const end = async (): Promise<void> => {
    first.kill();
    const { promise: abandoned, resolve } = Promise.withResolvers<void>();
    const timers = [
      // Bubblewrap exits when the first process does, unless a signal has suspended bubblewrap.
      setTimeout(() => bubblewrap.kill("SIGKILL"), KILL_TIMEOUT_MS / 2),
      setTimeout(resolve, KILL_TIMEOUT_MS),
    ];
    await Promise.race([ended, abandoned]);
    timers.forEach(clearTimeout);
  };
  acquired.move();
  let ending: Promise<void> | undefined;
  const shell = bubblewrap.stdin as Writable;
  // If the shell has ended, `ended` reports it.
  shell.on("error", () => {});
  return {
    output,
    log,
    network: first.network,
    run: (run) => void shell.end(toScript(program, run)),
    ended,
    readProcessorMs: () => readProcessorMs(program.isFirst ? first.pid : (readChildren(first.pid)[0] ?? first.pid)),
    kill: () => (ending ??= end()),
  };
}

/**
 * Limits on a program's namespaces, including bubblewrap's. The kernel may free unused namespaces late or not at all,
 * so every namespace ever created counts. Bubblewrap and Chromium create 6 user namespaces (5 are required), 2 network
 * namespaces (both required), and 2 process namespaces plus one per renderer. Each network namespace takes 330 KB of
 * kernel memory, which nothing else limits.
 */
const NAMESPACES = { user: 8, net: 4, pid: 256 };

/** Limits namespaces, writes 0 to each file named before `--`, and executes the command that follows. */
const ENTER = [
  ...Object.entries(NAMESPACES).map(([kind, most]) => `echo ${most} >/proc/sys/user/max_${kind}_namespaces || exit 1`),
  'while [ "$1" != -- ]; do echo 0 >"$1" || exit 1; shift; done; shift; exec "$@"',
].join("\n");

/**
 * Returns bubblewrap's command. A shell limits the namespaces below the sandbox's own user namespace, and joins the
 * sandbox's control groups. If the broker joined these groups to start bubblewrap in them, memory charged to the groups
 * would keep them alive until the broker exits.
 */
function toCommand({ owner }: SandboxFolder, { entrances }: Bounds, given: readonly string[]): string[] {
  if (owner !== undefined) for (const file of entrances) chownSync(file, owner, owner);
  const enter = ["/bin/sh", "-c", ENTER, "sh", ...entrances, "--"];
  return ["unshare", "--user", "--map-root-user", ...enter, "bwrap", ...given];
}

/** @param fds Descriptors of bubblewrap's stdout, stderr and listening socket. Closed before returning. */
function startBubblewrap(
  { owner }: SandboxFolder,
  [program = "", ...given]: readonly string[],
  fds: readonly number[],
): ChildProcess {
  const own = readFileSync(OOM_SCORE, "latin1");
  try {
    // Child processes inherit this score. If memory runs out, the kernel kills the highest-scoring process first.
    writeFileSync(OOM_SCORE, SANDBOX_SCORE);
    return spawn(program, given, {
      ...(owner === undefined ? {} : { uid: owner, gid: owner }),
      env: { PATH: "/usr/bin:/bin" },
      stdio: ["pipe", ...fds, "pipe", "pipe", SHELL],
    });
  } finally {
    writeFileSync(OOM_SCORE, own);
    for (const fd of fds) closeSync(fd);
  }
}

/** Listens on a Unix socket that only the sandbox's user can connect to. Creates the socket's folder. */
async function listenFor({ path, owner }: SandboxFolder, name: string): Promise<number> {
  const file = join(path, name);
  await mkdir(dirname(file), { mode: 0o700 });
  const fd = listenUnix(file);
  if (owner !== undefined) for (const each of [dirname(file), file]) await lchown(each, owner, owner);
  return fd;
}

/** Creates two connected sockets. @returns One socket, and the descriptors of both. */
function newSockets(acquired: AsyncDisposableStack): { socket: Socket; fd: number; other: number } {
  const [fd, other] = newSocketPair();
  const socket = new Socket({ fd, readable: false });
  acquired.defer(() => void socket.destroy());
  return { socket, fd, other };
}

/** Reads what a program wrote to a socket before it exited. */
function readText(fd: number): string {
  const bytes = Buffer.alloc(LOG_BYTES);
  try {
    return bytes.toString("utf8", 0, readSync(fd, bytes)).trim() || "(nothing)";
  } catch (error) {
    // A child of the ended program may still be running.
    if ((error as NodeJS.ErrnoException).code === "EAGAIN") return "(nothing)";
    throw error;
  }
}

/** Reads the id of the sandbox's first process; undefined if bubblewrap ended before starting it. */
async function readFirstPid(info: Readable): Promise<number | undefined> {
  const [, pid] = /"child-pid": (\d+)/.exec(await text(info)) ?? [];
  return pid === undefined ? undefined : Number(pid);
}

/**
 * Ends the first processes of sandboxes whose bubblewrap was killed before it let them continue. They would wait
 * forever. They have become the broker's children but, unlike its own, are in other process namespaces.
 */
async function endOrphans(): Promise<void> {
  const orphans = readChildren(ownPid).filter((pid) =>
    /^NSpid:\t\d+\t\d/m.test(readFileSync(`/proc/${pid}/status`, "latin1")),
  );
  for (const pid of orphans) kill(pid, "SIGKILL");
  await Promise.all(orphans.map(waitForEnd));
}

/** Returns a process's children in start order. @throws {Error} If the process has ended; the error has a code. */
function readChildren(pid: number): number[] {
  const list = readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1");
  return list.split(" ").filter(Boolean).map(Number);
}

/** Waits until an orphan has ended, unless it is stuck in the kernel. */
async function waitForEnd(pid: number): Promise<void> {
  for (let waitedMs = 0; !reap(pid) && waitedMs < KILL_TIMEOUT_MS; waitedMs += REAP_MS) await wait(REAP_MS);
}

/** Applies the bounds to a sandbox's first process and any child it has started. The child has no children yet. */
async function bound(first: number, bounds: Pick<Bounds, "add">): Promise<void> {
  try {
    await bounds.add(first);
    for (const child of readChildren(first)) await bounds.add(child);
  } catch (error) {
    // If the processes have ended, `ended` reports it.
    if (!isEnd(error)) throw error;
  }
}

/** Returns whether an operation failed because the process has ended. */
function isEnd(error: unknown): boolean {
  return ["ESRCH", "ENOENT"].includes(String((error as NodeJS.ErrnoException).code));
}

/** A sandbox's first process. If it is killed, the kernel kills all other processes in the sandbox. */
type FirstProcess = {
  readonly pid: number;
  readonly network: number;
  kill(): void;
  /** Kills the process, which may outlive bubblewrap, and waits until it has ended. */
  release(): Promise<void>;
};

/** @returns Undefined if the process has ended. */
function holdProcess(pid: number): FirstProcess | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openProcess(pid);
    // Open the process before the network: if its id has been reused, the process has ended and needs no network.
    return toFirstProcess(pid, descriptor, openNetwork(pid));
  } catch (error) {
    if (descriptor !== undefined) closeSync(descriptor);
    if (isEnd(error)) return undefined;
    throw error;
  }
}

function toFirstProcess(pid: number, descriptor: number, network: number): FirstProcess {
  let isHeld = true;
  return {
    pid,
    network,
    kill() {
      if (isHeld) killProcess(descriptor);
    },
    async release() {
      if (!isHeld) return;
      isHeld = false;
      killProcess(descriptor);
      closeSync(descriptor);
      await waitForEnd(pid);
    },
  };
}
