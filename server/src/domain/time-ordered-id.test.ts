import { expect, test } from "vitest";
import { toTimeOrderedId } from "./time-ordered-id.ts";

test("an id follows the ULID specification", () => {
  // The timestamp is the example in https://github.com/ulid/spec.
  const random = Uint8Array.from({ length: 16 }, (_, index) => index + 240);
  expect(toTimeOrderedId(new Date(1469922850259), random)).toBe("01arz3ndekghjkmnpqrstvwxyz");
});

test("ids sort by time", () => {
  const [low, high] = [new Uint8Array(16), new Uint8Array(16).fill(255)];
  const times = ["1970-01-01", "2026-11-21T10:00:00.000Z", "2026-11-21T10:00:00.001Z", "9999-12-31"];
  const ids = times.map((time, index) => toTimeOrderedId(new Date(time), index % 2 === 0 ? high : low));
  expect(ids.toSorted()).toEqual(ids);
  expect(ids[3]).toMatch(/^[a-z0-9]{26}$/);
});
