import { beforeEach, expect, test } from "vitest";
import { FakeClock, settled } from "../../../test/fakes/fake-clock.ts";
import { type Spare, Spares } from "./spares.ts";

type Made = Spare & { readonly kind: string; readonly end: () => void };

let clock: FakeClock;
/** Existing spares, and the number of spares ever made. */
let alive: Set<Made>;
let made: number;
let failure: Error | undefined;
let onMake: (() => void) | undefined;
let spares: Spares<string, Made>;

beforeEach(() => {
  clock = new FakeClock();
  [alive, made, failure, onMake] = [new Set(), 0, undefined, undefined];
  spares = new Spares({ count: 2, make, clock });
});

async function make(kind: string): Promise<Made> {
  made += 1;
  onMake?.();
  if (failure !== undefined) throw failure;
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const spare = { kind, ended, end, [Symbol.asyncDispose]: async () => void alive.delete(spare) };
  alive.add(spare);
  return spare;
}

test("the first resource of a kind is created on demand, and then spares are created", async () => {
  expect(spares.take("one")).toBeUndefined();
  await clock.pass(499);
  expect(made).toBe(0);
  await clock.pass(1);
  expect(spares.take("other")).toBeUndefined();
  expect([spares.take("one")?.kind, spares.take("one")?.kind, spares.take("one")]).toEqual(["one", "one", undefined]);
  await clock.pass(500);
  expect([...alive].map(({ kind }) => kind).toSorted()).toEqual(["one", "one", "one", "one", "other", "other"]);
});

test("spares are also made for a new kind that is requested while others are being made", async () => {
  onMake = () => {
    onMake = undefined;
    spares.take("other");
  };
  spares.take("one");
  await clock.pass(1000);
  expect([...alive].map(({ kind }) => kind).toSorted()).toEqual(["one", "one", "other", "other"]);
});

test("a spare that ends is disposed, and isn't handed out", async () => {
  spares.take("one");
  await clock.pass(500);
  for (const spare of alive) spare.end();
  await settled();
  expect(alive.size).toBe(0);
  expect(spares.take("one")).toBeUndefined();
});

test("after a failure, the next request tries again", async () => {
  failure = new Error("No.");
  spares.take("one");
  await clock.pass(10_000);
  expect(made).toBe(1);
  failure = undefined;
  spares.take("one");
  await clock.pass(500);
  expect(spares.take("one")).toBeDefined();
});

test("disposing ends all spares and prevents new ones", async () => {
  spares.take("one");
  await clock.pass(500);
  spares.take("other");
  await spares[Symbol.asyncDispose]();
  await clock.pass(10_000);
  expect([alive.size, made, clock.pending]).toEqual([0, 2, 0]);
});
