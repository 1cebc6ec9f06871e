import fc from "fast-check";
import { expect, test } from "vitest";
import { type SpelledSchema, toContractSpelling } from "./spelling.ts";

const INNER: SpelledSchema = { properties: { Deep: { "x-alias": "deep" }, plain: {} } };
const OUTER: SpelledSchema = {
  properties: { One: { "x-alias": "one" }, Two: { "x-alias": "two", anyOf: [{ $ref: "#inner" }, { type: "null" }] } },
};
const resolve = (): SpelledSchema => INNER;

function spell(sent: unknown): unknown {
  return toContractSpelling(sent, OUTER, resolve).value;
}

function disagreementsOf(sent: unknown): readonly string[] {
  return toContractSpelling(sent, OUTER, resolve).disagreements.map(({ path }) => path);
}

test("members are converted to the contract's spelling at every level; unknown members stay unchanged", () => {
  expect(spell({ one: 1, two: { deep: 2, Other: 3 }, other: 4 })).toEqual({
    One: 1,
    Two: { Deep: 2, Other: 3 },
    other: 4,
  });
});

test("only the two spellings are accepted, not other capitalizations", () => {
  expect(spell({ ONE: 1 })).toEqual({ ONE: 1 });
});

test("paths are converted back to the sender's spelling, whether or not the members exist", () => {
  const { toSender } = toContractSpelling({ one: [1], two: { Deep: 1 } }, OUTER, resolve);
  expect(["/One/0", "/Two/Deep", "/Two/plain", "/Three", ""].map(toSender)).toEqual([
    "/one/0",
    "/two/Deep",
    "/two/plain",
    "/Three",
    "",
  ]);
});

test("a name with slashes and tildes remains a single path segment", () => {
  const odd: SpelledSchema = { properties: { "A/B": { "x-alias": "a~b" } } };
  const { toSender } = toContractSpelling({ "a~b": 1 }, odd, resolve);
  expect(toSender("/A~1B")).toBe("/a~0b");
});

test("null counts as omitted, so the other spelling provides the value", () => {
  expect([spell({ One: 1, one: null }), spell({ one: null, One: 1 })]).toEqual([{ One: 1 }, { One: 1 }]);
  expect(spell({ One: null, one: null })).toEqual({ One: null });
  expect(disagreementsOf({ one: 0, One: false, two: { Deep: 1, deep: 2 } })).toEqual(["/One", "/two/deep"]);
  const { toSender } = toContractSpelling({ one: null, One: 1 }, OUTER, resolve);
  expect(toSender("/One")).toBe("/One");
});

test("any JSON value can be converted", () => {
  const value = fc.letrec((tie) => ({
    value: fc.oneof(
      fc.jsonValue(),
      fc.dictionary(fc.constantFrom("One", "one", "Two", "two", "Deep", "deep"), tie("value")),
    ),
  })).value;
  fc.assert(
    fc.property(value, (sent) => {
      expect(() => spell(sent)).not.toThrow();
    }),
  );
});
