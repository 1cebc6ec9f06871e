import { describe, expect, test } from "vitest";
import {
  countBrowsers,
  describeShortage,
  findShortages,
  type MachineFacts,
  toAllowances,
  toDefaultCapacity,
} from "./machine.ts";

const GIB = 2 ** 30;

/** A machine with plenty of everything. */
const LARGE: MachineFacts = {
  cores: 64,
  memoryBytes: 1024 * GIB,
  sharedMemoryBytes: 512 * GIB,
  displays: 59_536,
  openFiles: 1_048_576,
  tasks: 4_194_304,
  tasksOfUser: Infinity,
};

const ISOLATED = { isIsolated: true, hasOwners: true };
const NOT_ISOLATED = { isIsolated: false, hasOwners: true };

function capacityOf(facts: Partial<MachineFacts>, separation = ISOLATED): number {
  return toDefaultCapacity(toAllowances({ ...LARGE, ...facts }, separation));
}

describe("a machine is enough for", () => {
  test.each<[number, Partial<MachineFacts>]>([
    [1024, {}],
    [32, { cores: 2 }],
    [4, { memoryBytes: 2 * GIB }],
    [8, { openFiles: 1024 }],
    [3, { tasks: 1000 }],
    [1, { memoryBytes: GIB / 4 }],
    [1, { openFiles: 64 }],
    [2, { memoryBytes: GIB, cores: 1, openFiles: 1024 }],
  ])("%i browsers, limited by its scarcest resource: %j", (browsers, facts) => {
    expect(capacityOf(facts)).toBe(browsers);
  });

  test("isolated browsers regardless of /dev/shm and displays, because each has its own", () => {
    const facts = { sharedMemoryBytes: 64 * 2 ** 20, displays: 3 };
    expect(capacityOf(facts)).toBe(1024);
    expect(capacityOf({ sharedMemoryBytes: 64 * 2 ** 20 }, NOT_ISOLATED)).toBe(16);
    expect(capacityOf(facts, NOT_ISOLATED)).toBe(3);
  });

  test("as many browsers as one user's processes allow, but only when browsers share a user", () => {
    expect(capacityOf({ tasksOfUser: 1050 })).toBe(1024);
    expect(capacityOf({ tasksOfUser: 1050 }, { isIsolated: true, hasOwners: false })).toBe(4);
    expect(toAllowances({ ...LARGE, tasksOfUser: 100 }, ISOLATED).map(countBrowsers)).toContain(0);
  });
});

test("a shortage names the resource, what is needed and available, and what to do", () => {
  const allowances = toAllowances({ ...LARGE, memoryBytes: 2 * GIB, openFiles: 1024 }, NOT_ISOLATED);
  const shortages = findShortages(allowances, 9);
  expect(shortages.map((shortage) => describeShortage(shortage, 9))).toEqual([
    "RBS_CAPACITY=9 may need 4608 MiB of memory, and there are 2048, enough for 4. " +
      "Lower RBS_CAPACITY, or give the machine or the container more of it.",
    "RBS_CAPACITY=9 may need 1100 open files, and there are 1024, enough for 8. " +
      "Lower RBS_CAPACITY, or raise the limit: ulimit -n, LimitNOFILE= of systemd, --ulimit nofile= of Docker.",
  ]);
  expect(findShortages(allowances, 4)).toEqual([]);
});
