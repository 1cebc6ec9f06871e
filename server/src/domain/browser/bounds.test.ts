import { expect, test } from "vitest";
import { findBoundsMistake, toBounds } from "./bounds.ts";

const [MIB, GIB] = [2 ** 20, 2 ** 30];
const UNSET = { memoryBytes: undefined, diskBytes: undefined, areFilesOnDisk: false };

test("a browser may use 2 GiB, a quarter of it for files, and all of them the machine without a reserve", () => {
  expect(toBounds({ memoryBytes: 40 * GIB, tasks: 30_000 }, UNSET)).toEqual({
    all: { memoryBytes: 38 * GIB, tasks: 27_000 },
    memoryBytes: 2 * GIB,
    diskBytes: 512 * MIB,
    areFilesOnDisk: false,
  });
});

test("on a small machine, a browser may use half of it, and a quarter of it is reserved", () => {
  expect(toBounds({ memoryBytes: GIB, tasks: 1000 }, UNSET)).toMatchObject({
    all: { memoryBytes: 768 * MIB },
    memoryBytes: 512 * MIB,
    diskBytes: 128 * MIB,
  });
});

test("the operator's settings count, also those that are more than the default", () => {
  const set = { memoryBytes: 6 * GIB, diskBytes: 3 * GIB, areFilesOnDisk: false };
  expect(toBounds({ memoryBytes: 8 * GIB, tasks: 1000 }, set)).toMatchObject({
    memoryBytes: 6 * GIB,
    diskBytes: 3 * GIB,
  });
});

test("without limits that can be read, the numbers are ones that the kernel takes", () => {
  const { all, memoryBytes } = toBounds({ memoryBytes: Infinity, tasks: Infinity }, UNSET);
  expect(memoryBytes).toBe(2 * GIB);
  expect(Number.isSafeInteger(all.memoryBytes)).toBe(true);
  expect(all.tasks).toBeLessThanOrEqual(2 ** 22);
});

test("files in memory must leave a browser enough of it to run", () => {
  const [memoryBytes, diskBytes] = [512 * MIB, 257 * MIB];
  expect(findBoundsMistake({ memoryBytes, diskBytes: 256 * MIB, areFilesOnDisk: false })).toBe(undefined);
  expect(findBoundsMistake({ memoryBytes, diskBytes, areFilesOnDisk: true })).toBe(undefined);
  expect(findBoundsMistake({ memoryBytes, diskBytes, areFilesOnDisk: false })).toMatch(
    /^RBS_BROWSER_DISK_MB=257 is too much/,
  );
});
