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

/** A killed sandbox that still exists after this time hangs in the kernel and can't be ended. */
const KILL_TIMEOUT_MS = 5000;
const REAP_MS = 5;

/** How much an error quotes of what bubblewrap wrote. */
const LOG_BYTES = 4000;

/** proc_pid_oom_score_adj(5). */
const OOM_SCORE = "/proc/self/oom_score_adj";
const SANDBOX_SCORE = "500";

/** The file of the shell that waits in the place of every program. */
const SHELL = openSync("/bin/sh", "r");

/** By whether the bounds count shared memory. */
const FILTERS = { counted: toFilters(true), uncounted: toFilters(false) };

function toFilters(sharedMemory: boolean): { readonly browser: Buffer; readonly other: Buffer } {
  const toOne = (namespaces: boolean): Buffer => toFilter({ namespaces, sharedMemory });
  return { browser: toOne(true), other: toOne(false) };
}

type ProgramEnd = { readonly code: number | null; readonly signal: NodeJS.Signals | null };

/**
 * A program in bubblewrap. Until it is told to run, a shell waits in its place. The caller owns the sockets and the
 * descriptor.
 */
export type SandboxedProgram = {
  /** Its standard output and error. Nothing has been read from them yet. */
  readonly output: Socket;
  readonly log: Socket;
  /** A descriptor of its network namespace. */
  readonly network: number;
  /** Call it at most once. */
  run(run: Run): void;
  /** Resolves when the program and all its children have ended; never rejects. */
  readonly ended: Promise<ProgramEnd>;
  /** The processor time that it has used so far, in ms, without its children's; 0 if it has ended. */
  readProcessorMs(): number;
  /** Kills the program with all its children, and waits for that; safe to call twice. */
  kill(): Promise<void>;
};

/**
 * Starts bubblewrap for a program, and returns once its namespaces exist. Bubblewrap ends with the broker, which is the
 * first process of a process namespace.
 * @throws {Error} If bubblewrap ends before, with what it wrote. Nothing but the program's own folder is left then.
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
      // It ends with the first process, unless something has stopped it.
      setTimeout(() => bubblewrap.kill("SIGKILL"), KILL_TIMEOUT_MS / 2),
      setTimeout(resolve, KILL_TIMEOUT_MS),
    ];
    await Promise.race([ended, abandoned]);
    timers.forEach(clearTimeout);
  };
  acquired.move();
  let ending: Promise<void> | undefined;
  const shell = bubblewrap.stdin as Writable;
  // If it has ended, its end is reported.
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
 * How many namespaces a program can have, including bubblewrap's own. Ended ones count until the kernel frees them. It
 * may free none: bubblewrap and Chromium make 6 of users and 2 of networks in all, with windows or without. They need 5
 * and 2 to start. Of processes, they make 2, and one for each renderer. A namespace of networks takes 330 KB of the
 * kernel's memory, which no other bound covers.
 */
const NAMESPACES = { user: 8, net: 4, pid: 256 };

/** Writes 0 to each file up to `--`, and becomes the command after it. */
const ENTER = [
  ...Object.entries(NAMESPACES).map(([kind, most]) => `echo ${most} >/proc/sys/user/max_${kind}_namespaces || exit 1`),
  'while [ "$1" != -- ]; do echo 0 >"$1" || exit 1; shift; done; shift; exec "$@"',
].join("\n");

/**
 * Bubblewrap's command. A shell limits the namespaces below a namespace of users that is the sandbox's own. It enters
 * the sandbox's groups itself: if the broker did so to start it there, what the broker stores then would keep the
 * groups in the kernel's memory until the broker ends.
 */
function toCommand({ owner }: SandboxFolder, { entrances }: Bounds, given: readonly string[]): string[] {
  if (owner !== undefined) for (const file of entrances) chownSync(file, owner, owner);
  const enter = ["/bin/sh", "-c", ENTER, "sh", ...entrances, "--"];
  return ["unshare", "--user", "--map-root-user", ...enter, "bwrap", ...given];
}

/** @param fds Descriptors of its standard output and error and of its listening socket, which are closed here. */
function startBubblewrap(
  { owner }: SandboxFolder,
  [program = "", ...given]: readonly string[],
  fds: readonly number[],
): ChildProcess {
  const own = readFileSync(OOM_SCORE, "latin1");
  try {
    // A process inherits its score. When the machine has no memory left, the kernel ends those with the highest one
    // first.
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

/** Listens on a Unix socket that only the sandbox's user can connect to. Makes the folder that it lies in. */
async function listenFor({ path, owner }: SandboxFolder, name: string): Promise<number> {
  const file = join(path, name);
  await mkdir(dirname(file), { mode: 0o700 });
  const fd = listenUnix(file);
  if (owner !== undefined) for (const each of [dirname(file), file]) await lchown(each, owner, owner);
  return fd;
}

/** Creates a pair of connected sockets. @returns One of them with its descriptor, and the descriptor of the other. */
function newSockets(acquired: AsyncDisposableStack): { socket: Socket; fd: number; other: number } {
  const [fd, other] = newSocketPair();
  const socket = new Socket({ fd, readable: false });
  acquired.defer(() => void socket.destroy());
  return { socket, fd, other };
}

/** What a program that has ended wrote to a socket. */
function readText(fd: number): string {
  const bytes = Buffer.alloc(LOG_BYTES);
  try {
    return bytes.toString("utf8", 0, readSync(fd, bytes)).trim() || "(nothing)";
  } catch (error) {
    // Something that it has started may still write.
    if ((error as NodeJS.ErrnoException).code === "EAGAIN") return "(nothing)";
    throw error;
  }
}

/** @returns The number of the sandbox's first process; undefined if bubblewrap ended before it had one. */
async function readFirstPid(info: Readable): Promise<number | undefined> {
  const [, pid] = /"child-pid": (\d+)/.exec(await text(info)) ?? [];
  return pid === undefined ? undefined : Number(pid);
}

/**
 * Ends first processes whose bubblewrap was killed before it let them go on. They have become children of the broker,
 * whose other children share its process namespace, and would wait forever.
 */
async function endOrphans(): Promise<void> {
  const orphans = readChildren(ownPid).filter((pid) =>
    /^NSpid:\t\d+\t\d/m.test(readFileSync(`/proc/${pid}/status`, "latin1")),
  );
  for (const pid of orphans) kill(pid, "SIGKILL");
  await Promise.all(orphans.map(waitForEnd));
}

/** The processes that a process has started, in that order. @throws {Error} With a code if it has ended. */
function readChildren(pid: number): number[] {
  const list = readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1");
  return list.split(" ").filter(Boolean).map(Number);
}

/** Waits until an orphan has ended, unless it hangs in the kernel. */
async function waitForEnd(pid: number): Promise<void> {
  for (let waitedMs = 0; !reap(pid) && waitedMs < KILL_TIMEOUT_MS; waitedMs += REAP_MS) await wait(REAP_MS);
}

/** Bounds the first process of a sandbox and the one that it may have started before, which waits and has no others. */
async function bound(first: number, bounds: Pick<Bounds, "add">): Promise<void> {
  try {
    await bounds.add(first);
    for (const child of readChildren(first)) await bounds.add(child);
  } catch (error) {
    // They have ended, which is reported.
    if (!isEnd(error)) throw error;
  }
}

/** Whether the kernel refused something because the process has ended. */
function isEnd(error: unknown): boolean {
  return ["ESRCH", "ENOENT"].includes(String((error as NodeJS.ErrnoException).code));
}

/** The first process of a sandbox. When it is killed, the kernel kills all others. */
type FirstProcess = {
  readonly pid: number;
  readonly network: number;
  kill(): void;
  /** Kills the process, because something else may have ended bubblewrap alone, and waits until it has ended. */
  release(): Promise<void>;
};

/** @returns Undefined if it has ended. */
function holdProcess(pid: number): FirstProcess | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openProcess(pid);
    // After the process is held: its number may belong to another one by now, but then this one is of no use.
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
