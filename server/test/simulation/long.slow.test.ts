import { expect, test } from "vitest";
import { POSSIBLE_FAULTS } from "./faults.ts";
import { check, simulate } from "./simulate.ts";

/** Clients and servers need most of two processors for these. */
const SESSIONS = 10_000;
/** How fast they are opened, and for how long all of them are held, in seconds. */
const [OPENS_PER_S, HELD_S] = [70, 180];
/** The relays that cut servers off would carry all bytes a second time. Without all workers, there would be no sessions to hold. */
const FAULT_NAMES = POSSIBLE_FAULTS.filter((name) => !name.startsWith("cut") && name !== "kill all workers");

test("with ten thousand sessions, all invariants hold", { timeout: 1_200_000 }, async () => {
  const options = {
    seed: Date.now() % 1_000_000,
    seconds: HELD_S,
    sessions: SESSIONS,
    opensPerS: OPENS_PER_S,
    churnPerS: 10,
    faults: 8,
    faultNames: FAULT_NAMES,
    inPairs: false,
    fronts: 3,
    workers: 4,
    measureS: 0,
  };
  const violations = await simulate(
    options,
    () => {},
    ({ evidence }) => check(evidence),
  );
  expect(violations, `seed ${options.seed}`).toEqual([]);
});
