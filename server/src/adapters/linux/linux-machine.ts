import { readdirSync, statfsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { MachineFacts } from "../../domain/machine/machine.ts";
import { MEMORY, TASKS, readCgroupLimit, readText, toLimit } from "./cgroup.ts";

/** Maximum number of X displays. Every display has a TCP port from 6000 on, even if its X server doesn't use it. */
const DISPLAY_NUMBERS = 65_536 - 6000;

/** Reads this machine's resources. Limits that can't be read are infinite. @param root The root of the file system. */
export function readMachine(root = "/"): MachineFacts {
  return {
    cores: availableParallelism(),
    memoryBytes: Math.min(readMemory(root), readCgroupLimit(root, MEMORY)),
    sharedMemoryBytes: readBytes(join(root, "dev/shm"), "blocks"),
    displays: DISPLAY_NUMBERS - countDisplays(join(root, "tmp")),
    openFiles: readOwnLimit(root, "Max open files"),
    tasks: Math.min(
      readCgroupLimit(root, TASKS),
      toLimit(readText(join(root, "proc/sys/kernel/pid_max"))),
      toLimit(readText(join(root, "proc/sys/kernel/threads-max"))),
    ),
    tasksOfUser: readOwnLimit(root, "Max processes"),
  };
}

function readMemory(root: string): number {
  const [, kib] = /^MemTotal:\s+(\d+) kB$/m.exec(readText(join(root, "proc/meminfo")) ?? "") ?? [];
  return toLimit(kib) * 1024;
}

/** Reads a soft limit of this process, which Node has raised to the hard limit if possible. */
function readOwnLimit(root: string, name: string): number {
  const line = (readText(join(root, "proc/self/limits")) ?? "").split("\n").find((each) => each.startsWith(name));
  const [soft] = line?.slice(name.length).trim().split(/\s+/) ?? [];
  return toLimit(soft);
}

/** Returns the free bytes for unprivileged programs on a folder's file system, or Infinity if they can't be read. */
export function readFreeBytes(folder: string): number {
  return readBytes(folder, "bavail");
}

/** Reads the size or the free space of a folder's file system. */
function readBytes(folder: string, count: "blocks" | "bavail"): number {
  try {
    const stats = statfsSync(folder);
    return stats[count] * stats.bsize;
  } catch {
    return Infinity;
  }
}

/** Counts lock files, such as `.X0-lock`. */
function countDisplays(folder: string): number {
  try {
    return readdirSync(folder).filter((name) => /^\.X\d+-lock$/.test(name)).length;
  } catch {
    return 0;
  }
}
