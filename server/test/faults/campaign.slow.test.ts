import { describe, expect, test } from "vitest";
import { runCase } from "./campaign.ts";
import type { Browsers } from "./deployment.ts";
import { type Fault, FAULTS, type FaultName, PAIRS } from "./faults.ts";

/** How long each case lasts. `npm run faults` sets these. */
const SECONDS = Number(process.env["FAULTS_SECONDS"] ?? 15);
const SEED = Number(process.env["FAULTS_SEED"] ?? Date.now() % 1_000_000);
const ONLY = process.env["FAULTS_ONLY"];

const names = Object.keys(FAULTS) as FaultName[];
const cases = [...names.map((name) => [name, [name]] as const), ...Object.entries(PAIRS)].flatMap(([name, faults]) =>
  (["real", "fake"] as const)
    .filter((browsers) => faults.every((fault) => (FAULTS[fault] as Fault).browsers.includes(browsers)))
    .map((browsers) => ({ name, faults, browsers })),
);

// Only root can do all this to a server.
describe.runIf(process.getuid?.() === 0)("after", () => {
  const wanted = cases.filter(({ name }) => ONLY === undefined || name === ONLY);
  test.each(wanted)(
    "$name with $browsers browsers, nothing is left and all works",
    {
      timeout: (SECONDS + 300) * 1000,
    },
    async ({ name, faults, browsers }) => {
      const result = await runCase({ browsers, faults, seconds: SECONDS, seed: SEED, isConformant: true });
      report(name, browsers, result);
      expect(result.mistakes, `seed ${SEED}`).toEqual([]);
      expect(result.history.completed).toBeGreaterThan(0);
      for (const count of result.strikes) expect(count).toBeGreaterThan(0);
    },
  );
});

/** A row of the table in docs/reliability.md. */
function report(name: string, browsers: Browsers, result: Awaited<ReturnType<typeof runCase>>): void {
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
    `${(recoveryMs / 1000).toFixed(1)} s`,
  ];
  process.stdout.write(`| ${cells.join(" | ")} |\n`);
}
