import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { hasFakeTime } from "../support/fake-time.ts";
import { runProgram } from "../support/run-program.ts";
import { POSSIBLE_FAULTS } from "./faults.ts";
import { check, simulate } from "./simulate.ts";

const TIMEOUT_MS = 280_000;

test("with faults in pairs, all invariants hold", { timeout: TIMEOUT_MS }, async () => {
  const options = {
    seed: Date.now() % 1_000_000,
    seconds: 60,
    sessions: 300,
    opensPerS: 40,
    churnPerS: 8,
    faults: 5,
    faultNames: POSSIBLE_FAULTS,
    inPairs: true,
    fronts: 2,
    workers: 3,
    measureS: 0,
  };
  const violations = await simulate(
    options,
    () => {},
    ({ evidence }) => check(evidence),
  );
  expect(violations, `seed ${options.seed}`).toEqual([]);
});

// The clocks are set by libfaketime, which must be loaded when a program starts.
test.runIf(hasFakeTime)("while a month ends, all invariants hold", { timeout: TIMEOUT_MS }, async () => {
  const main = fileURLToPath(new URL("main.ts", import.meta.url));
  const args = ["--month-end", "--seconds", "80", "--opens", "40", "--faults", "kill worker,restart database"];
  const output = await runProgram(process.execPath, [main, ...args], {}, TIMEOUT_MS);
  expect(output).toMatch(/^Minutes charged: \d+ in \d{4}-\d\d, \d+ in \d{4}-\d\d\.$/m);
});
