import { readdirSync, statfsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { Machine } from "../../ports/machine.ts";
import { MEMORY, TASKS, readCgroupLimit } from "./cgroup.ts";
import { readText, toLimit } from "./read-text.ts";

/** An X server takes the first free one of these numbers: to each belongs a TCP port from 6000 on, listened on or not. */
const DISPLAY_NUMBERS = 65_536 - 6000;

/** @param root Where the file system begins. */
export function linuxMachine(root = "/"): Machine {
  return {
    read: () => ({
      cores: availableParallelism(),
      memoryBytes: Math.min(readMemory(root), readCgroupLimit(root, MEMORY)),
      sharedMemoryBytes: readSize(join(root, "dev/shm")),
      displays: DISPLAY_NUMBERS - countDisplays(join(root, "tmp")),
      openFiles: readOwnLimit(root, "Max open files"),
      tasks: Math.min(
        readCgroupLimit(root, TASKS),
        toLimit(readText(join(root, "proc/sys/kernel/pid_max"))),
        toLimit(readText(join(root, "proc/sys/kernel/threads-max"))),
      ),
      tasksOfUser: readOwnLimit(root, "Max processes"),
    }),
  };
}

function readMemory(root: string): number {
  const [, kib] = /^MemTotal:\s+(\d+) kB$/m.exec(readText(join(root, "proc/meminfo")) ?? "") ?? [];
  return toLimit(kib) * 1024;
}

/** The soft limit of this process, which Node has raised to the hard one where it can be raised. */
function readOwnLimit(root: string, name: string): number {
  const line = (readText(join(root, "proc/self/limits")) ?? "").split("\n").find((each) => each.startsWith(name));
  const [soft] = line?.slice(name.length).trim().split(/\s+/) ?? [];
  return toLimit(soft);
}

/** Size of the file system that a folder is the top of. */
function readSize(folder: string): number {
  try {
    const { blocks, bsize } = statfsSync(folder);
    return blocks * bsize;
  } catch {
    return Infinity;
  }
}

/** Displays in use leave a lock: `.X0-lock`. */
function countDisplays(folder: string): number {
  try {
    return readdirSync(folder).filter((name) => /^\.X\d+-lock$/.test(name)).length;
  } catch {
    return 0;
  }
}
