import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { hasFakeTime } from "../support/machine/fake-time.ts";
import { runProgram } from "../support/machine/run-program.ts";
import { POSSIBLE_FAULTS } from "./faults.ts";
import { check, type Options, simulate } from "./simulate.ts";

const TIMEOUT_MS = 1_200_000;
const COMMON = {
  seconds: 60,
  sessions: 300,
  opensPerS: 40,
  churnPerS: 8,
  faults: 5,
  measureS: 0,
  startMs: 50,
  crashShare: 0.02,
};

/** All possible faults except killing all workers, which would leave no sessions to measure. */
const HOLDING = POSSIBLE_FAULTS.filter((name) => name !== "kill all workers");

// Ten thousand sessions take up most of two processors.
test.each<[string, Omit<Options, "seed">]>([
  ["faults in pairs", { ...COMMON, faultNames: POSSIBLE_FAULTS, inPairs: true, fronts: 2, workers: 3 }],
  [
    "ten thousand sessions",
    {
      ...{ ...COMMON, seconds: 180, sessions: 10_000, opensPerS: 70, churnPerS: 10, faults: 8 },
      ...{ faultNames: HOLDING, inPairs: false, fronts: 3, workers: 4 },
    },
  ],
])("with %s, all invariants hold", { timeout: TIMEOUT_MS }, async (_, options) => {
  const seed = Date.now() % 1_000_000;
  const violations = await simulate(
    { ...options, seed },
    () => {},
    ({ evidence }) => check(evidence),
  );
  expect(violations, `seed ${seed}`).toEqual([]);
});

// libfaketime sets the clocks, and programs can load it only at startup.
test.runIf(hasFakeTime)("all invariants hold while a month ends", { timeout: TIMEOUT_MS }, async () => {
  const main = fileURLToPath(new URL("main.ts", import.meta.url));
  const args = ["--month-end", "--seconds", "80", "--opens", "40", "--faults", "kill worker,restart database"];
  const output = await runProgram(process.execPath, [main, ...args], {}, TIMEOUT_MS);
  expect(output).toMatch(/^Minutes charged: \d+ in \d{4}-\d\d, \d+ in \d{4}-\d\d\.$/m);
});
