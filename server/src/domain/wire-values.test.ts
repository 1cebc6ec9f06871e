import { expect, test } from "vitest";
import { Failure } from "./failure.ts";
import { fromWire, toWire } from "./wire-values.ts";

function overWire(value: unknown): unknown {
  return fromWire(JSON.parse(JSON.stringify(toWire(value))));
}

test.each<[string, unknown]>([
  ["dates, to the millisecond", new Date("2026-02-28T23:59:59.999Z")],
  ["URLs", new URL("https://browsers.example:8443/eu?a=1#b")],
  ["bytes", new Uint8Array([0, 1, 127, 128, 255])],
  ["no bytes", new Uint8Array()],
  ["undefined in a list", [undefined, 1, undefined]],
  ["undefined alone", undefined],
  ["text that looks like a tag", { label: "$date", tags: ['{"$date":"x"}', "\u2028\u0000"] }],
  ["nested values", { a: [{ at: new Date(0), of: { where: new URL("ws://a/") } }], b: null, c: false, d: -1.5 }],
  ["a member named __proto__", JSON.parse('{"__proto__": {"isOperator": true}}')],
])("%s arrive unchanged", (_name, value) => {
  expect(overWire(value)).toStrictEqual(value);
});

test("undefined members are omitted", () => {
  expect(Object.keys(overWire({ a: undefined, b: 1 }) as object)).toEqual(["b"]);
});

test("a slice of a buffer arrives as plain bytes, without the rest of the buffer", () => {
  const arrived = overWire(Buffer.from("abcdef").subarray(2, 4)) as Uint8Array;
  expect([arrived.constructor, ...arrived]).toEqual([Uint8Array, 99, 100]);
  expect(arrived.buffer.byteLength).toBe(2);
});

test("a failure is received without its cause", () => {
  const errors = [{ path: "/Label", message: "is too long" }];
  const failure = new Failure("BrowserUnavailable", "Try again.", { retryAfterS: 2.5, errors, cause: new Error("x") });
  expect(overWire(failure)).toStrictEqual(
    new Failure("BrowserUnavailable", "Try again.", { retryAfterS: 2.5, errors }),
  );
});

test("a failure with a name from a later version arrives as Unknown", () => {
  const sent = { $failure: { name: "toString", message: "New." } };
  expect(fromWire(sent)).toEqual(new Failure("Unknown", "New."));
});

test.each<[string, unknown]>([
  ["a set", { all: new Set([1]) }],
  ["an instance of a class", new Error("x")],
  ["a function", () => 1],
  ["infinity", Infinity],
  ["an invalid date", new Date(NaN)],
  ["a member that begins with $", { $date: "x" }],
])("%s is refused, because it would arrive changed", (_name, value) => {
  expect(() => toWire(value)).toThrow();
});

test.each<unknown>([
  { $date: "soon" },
  { $date: 1 },
  { $url: "nowhere" },
  { $bytes: [1] },
  { $set: "x" },
  { $failure: {} },
])("%j is refused on arrival", (json) => {
  expect(() => fromWire([json])).toThrow(TypeError);
});
