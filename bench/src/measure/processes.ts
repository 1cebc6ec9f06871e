import { readFileSync, readdirSync, readlinkSync } from "node:fs";
import { basename } from "node:path";

/** The unit of processor times in /proc, on all systems that Node runs on. */
const TICKS_PER_S = 100;

/** The numbers of all children of a process, their children, and so on. */
export function descendantsOf(ancestor: number): number[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync("/proc").filter((each) => /^\d+$/.test(each))) {
    const parent = readParent(Number(name));
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const found: number[] = [];
  for (let next = children.get(ancestor) ?? []; next.length > 0;) {
    found.push(...next);
    next = next.flatMap((pid) => children.get(pid) ?? []);
  }
  return found;
}

/** The name of the program file that a process runs; undefined when the process has ended. */
export function readProgram(pid: number): string | undefined {
  try {
    return basename(readlinkSync(`/proc/${pid}/exe`));
  } catch {
    return undefined;
  }
}

/** `Xvnc` is often a link to a program with another name, such as Xtigervnc. */
export function isXvnc(program: string): boolean {
  return /^X.*vnc$/i.test(program);
}

/** The proportional memory (PSS) of a process: shared memory counts in equal parts. 0 when the process has ended. */
export function readPssBytes(pid: number): number {
  const [, kilobytes = 0] = /^Pss:\s+(\d+) kB$/m.exec(read(pid, "smaps_rollup")) ?? [];
  return Number(kilobytes) * 1024;
}

/** The proportional memory of a server: its process, and every other Node process that it has started. */
export function readServerBytes(pid: number): number {
  const programs = descendantsOf(pid).filter((each) => readProgram(each) === "node");
  return [pid, ...programs].reduce((sum, each) => sum + readPssBytes(each), 0);
}

/** The processor time that a process has used, in ms. */
export function readProcessorMs(pid: number): number {
  return readTicks(pid, 11);
}

/** The processor time of the children of a process that have ended, in ms. */
export function readReapedMs(pid: number): number {
  return readTicks(pid, 13);
}

/** @param field Of user time; system time follows. https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
function readTicks(pid: number, field: number): number {
  const stat = read(pid, "stat");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [user, system] = [Number(fields[field]), Number(fields[field + 1])];
  return ((user + system) * 1000) / TICKS_PER_S;
}

/** How many files and sockets a process has open. */
export function countDescriptors(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** Undefined for a process that has ended, zombies included. */
function readParent(pid: number): number | undefined {
  const stat = read(pid, "stat");
  // The program's name, in brackets, may contain any character.
  const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return parent === undefined || state === "Z" || state === "X" ? undefined : Number(parent);
}

function read(pid: number, file: "stat" | "smaps_rollup"): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return "";
  }
}
