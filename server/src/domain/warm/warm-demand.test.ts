import { expect, test } from "vitest";
import { addSlots, fade } from "./warm-demand.ts";

const MINUTE_MS = 60_000;

/**
 * Distributes slots among sets with these numbers of Open requests. @returns The set's name for each slot, most useful
 * first.
 */
function share(opens: Readonly<Record<string, number>>, limit: number, held: Readonly<Record<string, number>> = {}) {
  const demands = Object.entries(opens).map(([name, count]) => ({
    name,
    opens: count,
    fixed: 0,
    added: held[name] ?? 0,
  }));
  return addSlots(demands, limit)
    .map(({ name }) => name)
    .join("");
}

test("the weight of an Open request halves every five minutes", () => {
  expect([fade(8, 0), fade(8, 5 * MINUTE_MS), fade(8, 15 * MINUTE_MS)]).toEqual([8, 4, 1]);
});

test.each([
  ["a single slot goes to the set with the most Open requests", { a: 5, b: 9 }, 1, "b"],
  ["a set that is opened occasionally needs one slot", { a: 5, b: 9 }, 9, "ba"],
  [
    "a frequently opened set receives another slot before a rarely opened set receives its first",
    { a: 300, b: 3 },
    3,
    "aaa",
  ],
  ["an option set gets no slot after a single Open request", { a: 1, b: 1 + fade(1, 11 * MINUTE_MS) }, 9, ""],
  ["two Open requests within ten minutes are enough for a slot", { a: 1 + fade(1, 9 * MINUTE_MS) }, 9, "a"],
  ["a slot remains empty if it would help too few Open requests", { a: 300 }, 99, "aaaaaa"],
])("%s", (_, opens, limit, expected) => {
  expect(share(opens, limit)).toBe(expected);
});

test("a slot moves only to a set with a much higher gain, and is released when its set is rarely used", () => {
  expect(share({ a: 5, b: 9 }, 1, { a: 1 })).toBe("a");
  expect(share({ a: 5, b: 11 }, 1, { a: 1 })).toBe("b");
  expect(share({ a: fade(2, 14 * MINUTE_MS) }, 9, { a: 1 })).toBe("a");
  expect(share({ a: fade(2, 16 * MINUTE_MS) }, 9, { a: 1 })).toBe("");
});

test("a set receives additional slots only if its fixed slots aren't enough", () => {
  expect(addSlots([{ opens: 300, fixed: 1, added: 0 }], 9)).toHaveLength(5);
  expect(addSlots([{ opens: 300, fixed: 9, added: 0 }], 9)).toHaveLength(0);
});
