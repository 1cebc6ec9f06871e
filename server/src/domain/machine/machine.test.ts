import { describe, expect, test } from "vitest";
import {
  countBrowsers,
  countIdleBrowsers,
  describeShortage,
  findShortages,
  type MachineFacts,
  toResourceLimits,
  toDefaultCapacity,
} from "./machine.ts";

const GIB = 2 ** 30;

/** A machine with ample resources. */
const LARGE: MachineFacts = {
  cores: 64,
  memoryBytes: 1024 * GIB,
  sharedMemoryBytes: 512 * GIB,
  displays: 59_536,
  openFiles: 1_048_576,
  tasks: 4_194_304,
  tasksOfUser: Infinity,
};

const SANDBOXED = { isSandboxed: true, hasOwners: true };
const SHARED = { isSandboxed: false, hasOwners: true };

function capacityOf(facts: Partial<MachineFacts>, isolation = SANDBOXED): number {
  return toDefaultCapacity(toResourceLimits({ ...LARGE, ...facts }, isolation));
}

describe("the default capacity", () => {
  test.each<[number, Partial<MachineFacts>]>([
    [1024, {}],
    [32, { cores: 2 }],
    [4, { memoryBytes: 2 * GIB }],
    [8, { openFiles: 1024 }],
    // A tenth of the processes and threads, but at least 100, is reserved for the server.
    [14, { tasks: 4000 }],
    [1, { tasks: 599 }],
    [1, { memoryBytes: GIB / 4 }],
    [1, { openFiles: 64 }],
    [2, { memoryBytes: GIB, cores: 1, openFiles: 1024 }],
  ])("is %i, limited by the scarcest resource: %j", (browsers, facts) => {
    expect(capacityOf(facts)).toBe(browsers);
  });

  test("leaves disk space for prepared sandboxes and the server", () => {
    const disk = { eachBytes: 2 * GIB, spares: 10 };
    const count = (freeBytes: number): number =>
      toDefaultCapacity(toResourceLimits(LARGE, SANDBOXED, { ...disk, freeBytes }));
    expect(count(36 * GIB + GIB / 4)).toBe(8);
    expect(count(36 * GIB)).toBe(7);
  });

  test("doesn't depend on /dev/shm or displays if browsers are sandboxed", () => {
    const facts = { sharedMemoryBytes: 64 * 2 ** 20, displays: 3 };
    expect(capacityOf(facts)).toBe(1024);
    expect(capacityOf({ sharedMemoryBytes: 64 * 2 ** 20 }, SHARED)).toBe(16);
    expect(capacityOf(facts, SHARED)).toBe(3);
  });

  test("depends on the per-user process limit only if browsers share a user", () => {
    expect(capacityOf({ tasksOfUser: 1050 })).toBe(1024);
    expect(capacityOf({ tasksOfUser: 1150 }, { isSandboxed: true, hasOwners: false })).toBe(4);
    expect(toResourceLimits({ ...LARGE, tasksOfUser: 100 }, SANDBOXED).map(countBrowsers)).toContain(0);
  });
});

test("idle browsers may use a tenth of the memory, and the first browser needs more than the others", () => {
  const counts = [2, 4, 8, 24].map((gib) => countIdleBrowsers({ memoryBytes: gib * GIB }));
  expect(counts).toEqual([0, 1, 4, 17]);
});

test("a shortage names the resource, the required and available amounts, and a remedy", () => {
  const allowances = toResourceLimits({ ...LARGE, memoryBytes: 2 * GIB, openFiles: 1024 }, SHARED);
  const shortages = findShortages(allowances, 9);
  expect(shortages.map((shortage) => describeShortage(shortage, 9))).toEqual([
    "RBS_CAPACITY=9 may need 4608 MiB of memory, but only 2048 are available, enough for 4. " +
      "Lower RBS_CAPACITY, or give the machine or container more memory.",
    "RBS_CAPACITY=9 may need 1100 open files, but only 1024 are available, enough for 8. " +
      "Lower RBS_CAPACITY, or raise the limit: ulimit -n, LimitNOFILE= of systemd, --ulimit nofile= of Docker.",
  ]);
  expect(findShortages(allowances, 4)).toEqual([]);
});
