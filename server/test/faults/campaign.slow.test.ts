import { describe, expect, test } from "vitest";
import { type Result, runCase } from "./campaign.ts";
import type { Browsers } from "./deployment.ts";
import { type Fault, FAULTS, type FaultName, PAIRS } from "./faults.ts";

/**
 * The duration of each case, set by `npm run faults`. If unset, only pairs of faults run, without the conformance
 * suite.
 */
const LONG = process.env["FAULTS_SECONDS"];
const SECONDS = Number(LONG ?? 5);
const SEED = Number(process.env["FAULTS_SEED"] ?? Date.now() % 1_000_000);
const ONLY = process.env["FAULTS_ONLY"];

const names = Object.keys(FAULTS) as FaultName[];
const alone = names.map((name) => [name, [name]] as const);
const cases = [...(LONG === undefined ? [] : alone), ...Object.entries(PAIRS)].flatMap(([name, faults]) =>
  (["real", "fake"] as const)
    .filter((browsers) => faults.every((fault) => (FAULTS[fault] as Fault).browsers.includes(browsers)))
    .map((browsers) => ({ name, faults, browsers })),
);

// The faults require root.
describe.runIf(process.getuid?.() === 0)("after", () => {
  const wanted = cases.filter(({ name }) => ONLY === undefined || name === ONLY);
  test.each(wanted)(
    "$name with $browsers browsers, the server works and holds no resources",
    {
      timeout: (SECONDS + 300) * 1000,
    },
    async ({ name, faults, browsers }) => {
      const result = await runCase({
        browsers,
        faults,
        seconds: SECONDS,
        seed: SEED,
        isConformant: LONG !== undefined,
      });
      report(name, browsers, result);
      expect(result.mistakes, `seed ${SEED}`).toEqual([]);
      for (const count of result.strikes) expect(count).toBeGreaterThan(0);
    },
  );
});

/** Prints a row of the table in docs/reliability.md. */
function report(name: string, browsers: Browsers, result: Result): void {
  const { perS, strikes, restarts, history, recoveryMs } = result;
  const answers = [...history.answers]
    .map(([answer, count]) => `${count} × ${answer}`)
    .toSorted()
    .join(", ");
  const cells = [
    name,
    browsers,
    perS.toFixed(1),
    strikes.join(" + "),
    restarts,
    answers,
    `${(history.slowestMs / 1000).toFixed(1)} s`,
    `${(recoveryMs / 1000).toFixed(1)} s`,
  ];
  process.stdout.write(`| ${cells.join(" | ")} |\n`);
}
