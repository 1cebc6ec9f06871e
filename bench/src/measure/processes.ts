import { readFileSync, readdirSync, readlinkSync } from "node:fs";
import { basename } from "node:path";

/** All processes that one has started, and that these have started, and so on, by number. */
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

/** The file that a process runs, without its folder; undefined when it is gone. */
export function readProgram(pid: number): string | undefined {
  try {
    return basename(readlinkSync(`/proc/${pid}/exe`));
  } catch {
    return undefined;
  }
}

/** `Xvnc` is a name that several programs have; here it leads to one of them, such as Xtigervnc. */
export function isXvnc(program: string): boolean {
  return /^X.*vnc$/i.test(program);
}

/** Memory of a process, what it shares with others counted in equal parts; nothing when it is gone. */
export function readPssBytes(pid: number): number {
  const [, kilobytes = 0] = /^Pss:\s+(\d+) kB$/m.exec(read(pid, "smaps_rollup")) ?? [];
  return Number(kilobytes) * 1024;
}

/** Files and sockets that a process has open. */
export function countDescriptors(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** Undefined for one that is gone, or dead and only waits to be collected. */
function readParent(pid: number): number | undefined {
  const stat = read(pid, "stat");
  // The name of the program, in brackets, may hold anything.
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
