import { readFileSync, readdirSync } from "node:fs";

/** A process on this machine, uniquely identified by its id and start time. */
export type Process = {
  readonly pid: number;
  readonly parent: number;
  readonly session: number;
  readonly born: string;
};

/** Returns all running processes except zombies. */
export function listProcesses(): Process[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => readProcess(Number(pid)) ?? []);
}

function readProcess(pid: number): Process | undefined {
  const stat = read(pid, "stat");
  // The program's name, in parentheses, can contain any character. The state, field 3 in proc_pid_stat(5), follows the
  // name.
  const [state, parent, ...rest] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  if (state === undefined || parent === undefined || state === "Z" || state === "X") return undefined;
  return { pid, parent: Number(parent), session: Number(rest[6 - 5]), born: rest[22 - 5] ?? "" };
}

/** Returns a process's descendants. */
export function descendants(all: readonly Process[], ancestor: number): Process[] {
  const family = new Set([ancestor]);
  // A parent may have a higher id than its child, so a single pass is not enough.
  for (let size = 0; size < family.size;) {
    size = family.size;
    for (const { pid, parent } of all) if (family.has(parent)) family.add(pid);
  }
  return all.filter(({ pid }) => pid !== ancestor && family.has(pid));
}

export function isSame(one: Process, other: Process): boolean {
  return one.pid === other.pid && one.born === other.born;
}

/** Kills a process if it is still running. */
export function kill({ pid }: Pick<Process, "pid">, signal: NodeJS.Signals = "SIGKILL"): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

export function commandLine({ pid }: Pick<Process, "pid">): string {
  return read(pid, "cmdline").replaceAll("\0", " ").trim();
}

export function environment({ pid }: Pick<Process, "pid">): string {
  return read(pid, "environ").replaceAll("\0", " ");
}

/** Returns all mounts that the process sees, one per line: proc_pid_mountinfo(5). */
export function mounts({ pid }: Pick<Process, "pid">): string {
  return read(pid, "mountinfo");
}

/** Reads a process's file in /proc; empty if the process has ended or the file is not readable. */
function read(pid: number, file: "stat" | "cmdline" | "environ" | "mountinfo"): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return "";
  }
}

/** Returns whether a process is or starts the broker of a server, which may be compiled. */
export function isBroker(process: Pick<Process, "pid">): boolean {
  return /\/(broker\/main\.ts|dist\/broker\.js)/.test(commandLine(process));
}

/**
 * Matches the command line of a shell that stands in for a program and waits. bubblewrap starts the shell from a file
 * descriptor.
 */
export const WAITING_SHELL = /^\/proc\/self\/fd\/\d$/;
