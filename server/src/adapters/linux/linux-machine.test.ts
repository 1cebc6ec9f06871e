import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { totalmem, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readFreeBytes, readMachine } from "./linux-machine.ts";

const MIB = 2 ** 20;
const UNLIMITED = "9223372036854771712\n";

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "rbs-machine-"));
  write({ "proc/meminfo": "MemTotal:        2048000 kB\nMemFree:          100 kB\n" });
});

afterEach(() => rmSync(root, { recursive: true }));

/** Writes files that imitate the kernel's. */
function write(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

test("this machine has a positive amount of each resource", () => {
  const facts = readMachine();
  expect(facts.memoryBytes).toBeGreaterThan(0);
  expect(facts.memoryBytes).toBeLessThanOrEqual(totalmem());
  for (const amount of Object.values(facts)) expect(amount).toBeGreaterThan(0);
});

test("a disk has free space, and an unreadable one counts as unlimited", () => {
  expect(readFreeBytes(root)).toBeGreaterThan(0);
  expect(readFreeBytes(root)).toBeLessThan(Infinity);
  expect(readFreeBytes(join(root, "missing"))).toBe(Infinity);
});

test("unknown limits count as unlimited", () => {
  rmSync(join(root, "proc/meminfo"));
  const unlimited = { memoryBytes: Infinity, openFiles: Infinity, tasks: Infinity, tasksOfUser: Infinity };
  expect(readMachine(root)).toMatchObject(unlimited);
});

describe("of control groups", () => {
  test("the lowest limit of all parent groups applies (version 2)", () => {
    write({
      "proc/self/cgroup": "0::/system.slice/browsers.service\n",
      "sys/fs/cgroup/system.slice/browsers.service/memory.max": "max\n",
      "sys/fs/cgroup/system.slice/memory.max": `${512 * MIB}\n`,
      "sys/fs/cgroup/system.slice/browsers.service/pids.max": "700\n",
      "sys/fs/cgroup/system.slice/pids.max": "900\n",
    });
    expect(readMachine(root)).toMatchObject({ memoryBytes: 512 * MIB, tasks: 700 });
  });

  test("in a container, where the path is the host's, the root group's limit applies (version 1)", () => {
    write({
      "proc/self/cgroup": "9:name=systemd:/\n8:pids:/docker/abc\n5:cpu,memory:/docker/abc\n0::/docker/abc\n",
      "sys/fs/cgroup/memory/memory.limit_in_bytes": `${1000 * MIB}\n`,
      "sys/fs/cgroup/pids/pids.max": "300\n",
    });
    expect(readMachine(root)).toMatchObject({ memoryBytes: 1000 * MIB, tasks: 300 });
  });

  test("a limit above the machine's memory has no effect", () => {
    write({
      "proc/self/cgroup": "4:memory:/a\n",
      "sys/fs/cgroup/memory/a/memory.limit_in_bytes": UNLIMITED,
      "sys/fs/cgroup/memory/memory.limit_in_bytes": UNLIMITED,
    });
    expect(readMachine(root).memoryBytes).toBe(2048000 * 1024);
  });
});

test("the process's soft limits and the kernel's system-wide limits are read", () => {
  write({
    "proc/self/limits":
      "Limit                     Soft Limit           Hard Limit           Units     \n" +
      "Max processes             4096                 unlimited            processes \n" +
      "Max open files            1024                 1048576              files     \n",
    "proc/sys/kernel/pid_max": "32768\n",
    "proc/sys/kernel/threads-max": "15000\n",
  });
  expect(readMachine(root)).toMatchObject({ tasksOfUser: 4096, openFiles: 1024, tasks: 15_000 });
  write({ "proc/self/limits": "Max open files            unlimited            unlimited            files     \n" });
  expect(readMachine(root)).toMatchObject({ openFiles: Infinity });
});

test("displays in use are not available for browsers", () => {
  const before = readMachine(root).displays;
  write({ "tmp/.X0-lock": "1\n", "tmp/.X17-lock": "2\n", "tmp/other": "" });
  expect(readMachine(root).displays).toBe(before - 2);
});
