import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { startCommand } from "../../../command-line/src/command-line.ts";
import { hasFakeTime } from "../support/machine/fake-time.ts";
import { FAULTS, POSSIBLE_FAULTS, type FaultName, findObstacle } from "./faults.ts";
import { readMonths, runAtMonthEnd } from "./month-end.ts";
import { PLANTS, type PlantName, type Plant } from "./plants.ts";
import { countRefusals, latencyOf, measureOpens, toCoresUsed, toReport } from "./report.ts";
import { type Options, type Run, check, simulate } from "./simulate.ts";
import type { Violation } from "./checks/violations.ts";

/** Approximate time until the cluster has started. */
const START_S = 10;

const USAGE = `npm run simulate -- [OPTIONS]

  --seed N        repeats the random choices of an earlier run
  --seconds N     how long all sessions are held, while faults strike; by default 60
  --sessions N    sessions at the same time; by default 300
  --faults N      how many faults strike, or the names of those that do: "kill worker,stop front-end"; by default 5
  --pairs         lets two faults strike each time
  --fronts N --workers N
                  by default 2 and 3
  --opens N --churn N
                  Opens per second at the beginning, and later; by default 25 and 8
  --start-ms N    how long browsers take to start on average; by default 0
  --crashes N     the share of browsers that crash; by default 0.02
  --measure N     measures Opens for so many seconds with 100 browsers, and with all of them
  --month-end     a month ends in the middle, for all programs; needs libfaketime
  --report FILE   writes a report with plots
  --plant NAME    puts a fault into what the checkers read, which they must find
  --list          prints the names of faults and plants
`;

const { values } = startCommand({
  usage: USAGE,
  options: {
    seed: { type: "string" },
    seconds: { type: "string", default: "60" },
    sessions: { type: "string", default: "300" },
    faults: { type: "string", default: "5" },
    fronts: { type: "string", default: "2" },
    workers: { type: "string", default: "3" },
    opens: { type: "string", default: "25" },
    churn: { type: "string", default: "8" },
    "start-ms": { type: "string", default: "0" },
    crashes: { type: "string", default: "0.02" },
    measure: { type: "string", default: "0" },
    report: { type: "string" },
    plant: { type: "string" },
    pairs: { type: "boolean", default: false },
    "month-end": { type: "boolean", default: false },
    list: { type: "boolean", default: false },
  },
});

if (values.list) console.log(`Faults: ${FAULTS.join(", ")}\nPlants: ${Object.keys(PLANTS).join(", ")}`);
else if (values["month-end"]) process.exitCode = (await runWithMonthEnd()) ?? 1;
else process.exitCode = (await run()) ? 0 : 1;

/** Runs this program again with changed clocks, without the `--month-end` option. */
async function runWithMonthEnd(): Promise<number | null> {
  if (!hasFakeTime) throw new Error("--month-end needs libfaketime, which `npm run setup` installs.");
  const { sessions, opensPerS, seconds } = toOptions();
  const args = process.argv.slice(2).filter((arg) => arg !== "--month-end");
  return runAtMonthEnd(fileURLToPath(import.meta.url), args, START_S + sessions / opensPerS + seconds / 2);
}

/** Runs the simulation. @returns Whether all invariants hold. */
async function run(): Promise<boolean> {
  const options = toOptions();
  const plant = values.plant === undefined ? undefined : readPlant(values.plant);
  console.log(`Seed ${options.seed}`);
  const interrupted = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => interrupted.abort(new Error(`The simulation was interrupted by ${signal}.`)));
  const say = (line: string): void => console.log(new Date().toISOString().slice(11, 23), line);
  const report = async (done: Run): Promise<boolean> => {
    await plant?.plant(done.evidence);
    const violations = await check(done.evidence);
    for (const { invariant, what, facts } of violations) {
      console.error(`Invariant ${invariant} (seed ${options.seed}): ${what}`);
      for (const fact of facts) console.error(`  ${JSON.stringify(fact)}`);
    }
    if (values.report !== undefined) writeFileSync(values.report, toReport(done, violations));
    console.log(summarize(done, violations));
    const months = await readMonths(done.evidence.query);
    console.log(`Minutes charged: ${months.map(({ month, units }) => `${units} in ${month}`).join(", ")}.`);
    return violations.length === 0;
  };
  return simulate(options, say, report, interrupted.signal);
}

function toOptions(): Options {
  const names = values.faults.split(",").map((name) => name.trim());
  const isCount = /^\d+$/.test(values.faults);
  const unknown = isCount ? [] : names.filter((name) => !(FAULTS as readonly string[]).includes(name));
  if (unknown.length > 0) throw new Error(`Unknown fault "${unknown[0]}". The faults are ${FAULTS.join(", ")}.`);
  const wanted: readonly FaultName[] = isCount ? POSSIBLE_FAULTS : (names as FaultName[]);
  for (const name of FAULTS) {
    const obstacle = findObstacle(name);
    if (obstacle !== undefined && isCount) console.log(`Skipped the fault "${name}": ${obstacle}.`);
    if (obstacle !== undefined && wanted.includes(name))
      throw new Error(`The fault "${name}" can't strike: ${obstacle}.`);
  }
  const number = (name: "seconds" | "sessions" | "fronts" | "workers" | "opens" | "churn"): number => {
    const value = Number(values[name]);
    if (!(value > 0)) throw new Error(`--${name} must be a number above 0, not "${values[name]}".`);
    return value;
  };
  return {
    seed: values.seed === undefined ? Date.now() % 1_000_000 : Number(values.seed),
    seconds: number("seconds"),
    sessions: number("sessions"),
    fronts: number("fronts"),
    workers: number("workers"),
    opensPerS: number("opens"),
    churnPerS: number("churn"),
    startMs: Number(values["start-ms"]),
    crashShare: Number(values.crashes),
    measureS: Number(values.measure),
    faults: isCount ? Number(values.faults) : names.length,
    faultNames: wanted,
    inPairs: values.pairs,
  };
}

function readPlant(name: string): Plant {
  const plant = (PLANTS as Record<string, Plant>)[name as PlantName];
  if (plant === undefined) throw new Error(`There is no plant "${name}". \`--list\` prints all plants.`);
  return plant;
}

function summarize({ evidence: { history }, samples, options }: Run, violations: readonly Violation[]): string {
  const { sessions, faults } = history;
  const opened = sessions.filter(({ answeredMs }) => answeredMs !== undefined);
  const refusals = [...countRefusals(history)].map(([name, count]) => `${count} × ${name}`);
  return [
    `${opened.length} browsers were opened (p50 ${latencyOf(opened, 0.5)} ms, p99 ${latencyOf(opened, 0.99)} ms); refused or lost: ${refusals.join(", ") || "none"}.`,
    ...measureOpens(history).map(
      ({ open, opens, p50, p99 }) => `With ${open} browsers, ${opens} Opens took p50 ${p50} ms, p99 ${p99} ms.`,
    ),
    toCoresUsed(samples, options.sessions),
    `Faults: ${faults.map(({ name, target }) => `${name} (${target})`).join(", ") || "none"}.`,
    violations.length === 0 ? "All invariants hold." : `${violations.length} violations.`,
  ].join("\n");
}
