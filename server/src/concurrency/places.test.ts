import { expect, test } from "vitest";
import { FakeClock } from "../../test/fakes/fake-clock.ts";
import { Failure } from "../domain/failure.ts";
import { Places } from "./places.ts";

const NEVER = new AbortController().signal;

function newPlaces(limit: number, maxWaiting: number) {
  const clock = new FakeClock();
  const onFull = (): Failure => new Failure("ProviderUnavailable", "Full.", { retryAfterS: 5 });
  return { clock, places: new Places({ limit, maxWaiting, maxWaitMs: 1000, clock, onFull }) };
}

test("so many have a place, so many wait, and whoever comes then is refused", async () => {
  const { places } = newPlaces(2, 1);
  const held = [await places.take(NEVER), await places.take(NEVER)];
  const waiting = places.take(NEVER);
  await expect(places.take(NEVER)).rejects.toThrow("Full.");
  expect(places.load).toEqual({ taken: 2, waiting: 1 });
  held[0]?.[Symbol.dispose]();
  const last = await waiting;
  expect(places.load).toEqual({ taken: 2, waiting: 0 });
  for (const place of [...held, last]) place[Symbol.dispose]();
  expect(places.load).toEqual({ taken: 0, waiting: 0 });
});

test("those who wait are served in the order they came", async () => {
  const { places } = newPlaces(1, 5);
  const served: number[] = [];
  const first = await places.take(NEVER);
  const others = [1, 2, 3].map(async (number) => {
    using _place = await places.take(NEVER);
    served.push(number);
  });
  first[Symbol.dispose]();
  await Promise.all(others);
  expect(served).toEqual([1, 2, 3]);
  expect(places.load).toEqual({ taken: 0, waiting: 0 });
});

test("nobody waits for ever", async () => {
  const { places, clock } = newPlaces(1, 1);
  const first = await places.take(NEVER);
  const refused = places.take(NEVER).catch((error: unknown) => error);
  await clock.pass(1000);
  expect(await refused).toMatchObject({ failure: "ProviderUnavailable", retryAfterS: 5 });
  first[Symbol.dispose]();
  expect(places.load).toEqual({ taken: 0, waiting: 0 });
  expect(clock.waiting).toBe(0);
});

test("who leaves while waiting leaves the line, also in the moment its turn comes", async () => {
  const { places, clock } = newPlaces(1, 2);
  const first = await places.take(NEVER);
  const callers = [new AbortController(), new AbortController()] as const;
  const left = callers.map(({ signal }) => expect(places.take(signal)).rejects.toThrow("gone"));
  callers[0].abort(new Error("gone"));
  await left[0];
  expect(places.load.waiting).toBe(1);
  // Both in one turn: whichever comes first, the place must not be lost.
  callers[1].abort(new Error("gone"));
  first[Symbol.dispose]();
  await left[1];
  expect(places.load).toEqual({ taken: 0, waiting: 0 });
  expect(clock.waiting).toBe(0);
  await expect(places.take(AbortSignal.abort(new Error("gone")))).rejects.toThrow("gone");
});
