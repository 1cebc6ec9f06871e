import { readFileSync, readdirSync, readlinkSync } from "node:fs";
import { basename } from "node:path";

/** Clock ticks per second in /proc, on all systems that Node supports. */
const TICKS_PER_S = 100;

/** Lists the PIDs of all descendants of a process. */
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

/** Returns the file name of a process's program, or undefined if the process has exited. */
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

/** Returns a process's proportional memory (PSS), which divides shared pages equally. 0 if the process has exited. */
export function readPssBytes(pid: number): number {
  const [, kilobytes = 0] = /^Pss:\s+(\d+) kB$/m.exec(read(pid, "smaps_rollup")) ?? [];
  return Number(kilobytes) * 1024;
}

/** Returns the proportional memory of a server's process and all Node processes that it has started. */
export function readServerBytes(pid: number): number {
  const programs = descendantsOf(pid).filter((each) => readProgram(each) === "node");
  return [pid, ...programs].reduce((sum, each) => sum + readPssBytes(each), 0);
}

/** Returns the CPU time that a process has used, in ms. */
export function readProcessorMs(pid: number): number {
  return readTicks(pid, 11);
}

/** Returns the CPU time that a process's exited children have used, in ms. */
export function readReapedMs(pid: number): number {
  return readTicks(pid, 13);
}

/** @param field The index of the user time. The system time is the next field. */
function readTicks(pid: number, field: number): number {
  const fields = readStat(pid);
  return ((Number(fields[field]) + Number(fields[field + 1])) * 1000) / TICKS_PER_S;
}

/** Counts a process's open files and sockets. */
export function countDescriptors(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** Undefined if the process has exited or is a zombie. */
function readParent(pid: number): number | undefined {
  const [state, parent] = readStat(pid);
  return parent === undefined || state === "Z" || state === "X" ? undefined : Number(parent);
}

/** Reads a process's fields, starting with its state: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
function readStat(pid: number): string[] {
  const stat = read(pid, "stat");
  // The preceding field, the program's name in parentheses, may contain any character.
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

function read(pid: number, file: "stat" | "smaps_rollup"): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return "";
  }
}
