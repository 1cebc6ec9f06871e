import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempDisposableSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isQuestion, startCommand } from "../command-line/src/command-line.ts";
import { CHECKS, type Verdict, describeVerdict, runChecks } from "./checks/checks.ts";
import { YARDSTICK, compareTimes, readLedger } from "./ledger/ledger.ts";
import { measureYardstick, sumUp, usedSeconds } from "./ledger/processor-time.ts";
import {
  NONE,
  type Tally,
  add,
  closingLine,
  listFailed,
  listSkipped,
  readClosingLine,
  readTally,
} from "./tally/tally.ts";

const USAGE = `npm test -- [FILE…] [OPTIONS of Vitest]

Runs all checks, which count as one test each, the tests, and all clients' scenarios. npm run test:all also runs
tests that take minutes, and with --shard=2/6 only the second of six parts of these. The last line says how many tests
passed and failed.
`;

const root = fileURLToPath(new URL("..", import.meta.url));

/** The projects in vitest.config.ts whose tests take minutes. Only `npm run test:all` runs them. */
const SLOW = ["slow", "proof", "soak"];

/** Multiplies the tests' time limits, because all tests and other programs share the machine. */
const PATIENCE = "3";

/** Vitest's options and file names. */
const chosen = process.argv.slice(2).filter((arg) => arg !== "--all");
startCommand({ usage: USAGE }, chosen.filter(isQuestion));
const isAll = process.argv.includes("--all");
const isShard = chosen.some((arg) => arg.startsWith("--shard"));
/** Whether this run covers the whole quick tier, whose times the ledger records. */
const isQuickTier = !isAll && chosen.length === 0;

/** A part's result, and a line for each test that failed or was skipped. */
type Ended = { readonly tally: Tally; readonly notes: readonly string[] };

/** The processor time of each finished part, in s, and the total time assigned to parts so far. */
const used: Record<string, number> = {};
let counted = 0;

async function check(): Promise<Ended> {
  const checks = CHECKS.filter(({ isInTests }) => isInTests !== true);
  const report = (verdict: Verdict): void => {
    used["checks"] = (used["checks"] ?? 0) + sinceLast();
    process.stdout.write(describeVerdict(verdict));
  };
  const verdicts = await runChecks(root, report, checks);
  const select = (wanted: Verdict["outcome"]) => verdicts.filter(({ outcome }) => outcome === wanted);
  const skipped = select("skipped").map(({ check: { name }, output }) => `Skipped: ${name} (${output})`);
  const failed = select("failed").map(({ check: { name } }) => `Failed: ${name}`);
  const tally = { passed: select("passed").length, failed: failed.length, skipped: skipped.length };
  return { tally, notes: [...skipped, ...failed] };
}

async function runVitest(): Promise<Ended> {
  using folder = mkdtempDisposableSync(join(tmpdir(), "report-"));
  const file = join(folder.path, "report.json");
  const times = join(folder.path, "times.jsonl");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const program = join(root, "node_modules/vitest/vitest.mjs");
  const args = ["run", ...chooseProjects(), ...reporters, ...chosen];
  // Starting a compiled server takes half the processor time. Slow tests compile the server themselves, so runs with
  // slow tests use the sources.
  const isCompiled = !isAll && !isShard;
  const built = isCompiled ? await run(join(root, "scripts/build.ts"), [], {}) : { exitCode: 0 };
  if (built.exitCode !== 0) return { tally: { ...NONE, failed: 1 }, notes: ["Failed: npm run build"] };
  const { exitCode, seconds } = await run(program, args, {
    ...(isCompiled ? { RBS_COMPILED: "true" } : {}),
    // Each broker that a test starts loads its modules faster.
    NODE_COMPILE_CACHE: join(root, "node_modules/.cache/compiled"),
    RBS_PROCESSOR_TIME: times,
    RBS_PATIENCE: process.env["RBS_PATIENCE"] ?? PATIENCE,
  });
  const report = readIfThere(file);
  const files = sumUp(readIfThere(times) ?? "", root);
  const vitest = seconds - Object.values(files).reduce((sum, each) => sum + each, 0);
  Object.assign(used, { ...files, vitest });
  const notes = [
    ...listSkipped(report).map((name) => `Skipped: ${name}`),
    ...listFailed(report).map((name) => `Failed: ${name.replace(root, "")}`),
  ];
  return { tally: readTally(report, exitCode), notes };
}

/** Returns Vitest's options that select projects. */
function chooseProjects(): string[] {
  if (isShard) return SLOW.map((name) => `--project=${name}`);
  // A test that the user names runs even if it is slow.
  const isNamed = chosen.some((arg) => !arg.startsWith("-"));
  return isAll || isNamed ? [] : SLOW.map((name) => `--project=!${name}`);
}

/** Runs the clients' scenarios. Prints their output at the end, because other tests run at the same time. */
async function runClients(): Promise<Ended> {
  const { output, exitCode, seconds } = await run(join(root, "clients/test/run.ts"), ["--quick"], {}, () => {});
  process.stdout.write(output);
  used["scenarios"] = seconds;
  return { tally: readClosingLine(output, exitCode), notes: output.match(/^(Skipped|Failed): .*$/gm) ?? [] };
}

/**
 * Runs a file with Node.
 * @param env Additional variables.
 * @param show Receives the output as it arrives. Default: prints it.
 * @returns `seconds` is the processor time of the process and its descendants.
 */
async function run(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  show: (text: string) => void = (text) => void process.stdout.write(text),
): Promise<{ output: string; exitCode: number | null; seconds: number }> {
  const child = spawn(process.execPath, [file, ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let seconds = 0;
  child.on("exit", () => (seconds = sinceLast()));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    show(text);
    output += text;
  });
  const [exitCode] = (await once(child, "close")) as [number | null];
  return { output, exitCode, seconds };
}

/** Returns the processor time used since the last call. A process's time is added only when it ends. */
function sinceLast(): number {
  const added = usedSeconds() - counted;
  counted += added;
  return added;
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

if (isQuickTier) used[YARDSTICK] = measureYardstick();
sinceLast();
// Tests often wait, so the checks and the clients run at the same time. With --all, one part runs at a time: the slow
// tests measure durations.
const ended = isShard
  ? [await runVitest()]
  : isAll
    ? [await check(), await runVitest(), await runClients()]
    : await Promise.all([check(), runVitest(), runClients()]);
if (isQuickTier) {
  used[YARDSTICK] = Math.max(used[YARDSTICK] ?? 0, measureYardstick());
  const { table, isWithin } = compareTimes(readLedger().processorSeconds, used);
  console.log(`\n${table}`);
  ended.push({ tally: { ...NONE, [isWithin ? "passed" : "failed"]: 1 }, notes: [] });
}
const tally = ended.map((one) => one.tally).reduce(add);
console.log(["", ...ended.flatMap(({ notes }) => notes), closingLine(tally)].join("\n"));
process.exitCode = tally.failed === 0 ? 0 : 1;
