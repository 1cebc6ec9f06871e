import { expect, test } from "vitest";
import { findBoundsMistake, toBounds } from "./bounds.ts";

const [MIB, GIB] = [2 ** 20, 2 ** 30];
const UNSET = { memoryBytes: undefined, diskBytes: undefined, areFilesOnDisk: false };

test("by default, a browser may use 2 GiB, including a quarter for files, and all browsers together may use the machine's memory minus a reserve", () => {
  expect(toBounds({ memoryBytes: 40 * GIB, tasks: 30_000 }, UNSET)).toEqual({
    all: { memoryBytes: 38 * GIB, tasks: 27_000 },
    memoryBytes: 2 * GIB,
    diskBytes: 512 * MIB,
    areFilesOnDisk: false,
  });
});

test("on a small machine, a browser may use half of the memory, and a quarter of the memory is reserved", () => {
  expect(toBounds({ memoryBytes: GIB, tasks: 1000 }, UNSET)).toMatchObject({
    all: { memoryBytes: 768 * MIB },
    memoryBytes: 512 * MIB,
    diskBytes: 128 * MIB,
  });
});

test("the operator's settings apply, even above the defaults", () => {
  const set = { memoryBytes: 6 * GIB, diskBytes: 3 * GIB, areFilesOnDisk: false };
  expect(toBounds({ memoryBytes: 8 * GIB, tasks: 1000 }, set)).toMatchObject({
    memoryBytes: 6 * GIB,
    diskBytes: 3 * GIB,
  });
});

test("if the machine's limits can't be read, the kernel still accepts the calculated limits", () => {
  const { all, memoryBytes } = toBounds({ memoryBytes: Infinity, tasks: Infinity }, UNSET);
  expect(memoryBytes).toBe(2 * GIB);
  expect(Number.isSafeInteger(all.memoryBytes)).toBe(true);
  expect(all.tasks).toBeLessThanOrEqual(2 ** 22);
});

test("files in memory must leave a browser enough memory to run", () => {
  const [memoryBytes, diskBytes] = [512 * MIB, 257 * MIB];
  const machine = { memoryBytes: GIB, isDiskSet: true };
  expect(findBoundsMistake({ memoryBytes, diskBytes: 256 * MIB, areFilesOnDisk: false }, machine)).toBe(undefined);
  expect(findBoundsMistake({ memoryBytes, diskBytes, areFilesOnDisk: true }, machine)).toBe(undefined);
  expect(findBoundsMistake({ memoryBytes, diskBytes, areFilesOnDisk: false }, machine)).toMatch(
    /^RBS_BROWSER_DISK_MB=257 is too much/,
  );
});

test("on a machine that is too small, the error states the required memory", () => {
  const explain = (memoryMb: number): string | undefined => {
    const machine = { memoryBytes: memoryMb * MIB, tasks: 1000, isDiskSet: false };
    return findBoundsMistake(toBounds(machine, UNSET), machine);
  };
  expect(explain(380)).toBe(
    "A browser needs 342 MB of memory, but may use only 190 MB: by default, a browser may use half of the machine's memory, which is 380 MB. " +
      "Start the server on a machine with 683 MB or more, or set RBS_BROWSER_MEMORY_MB to 512 or more.",
  );
  expect([explain(682), explain(683)]).toEqual([expect.any(String), undefined]);
});
