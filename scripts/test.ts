import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isQuestion, startCommand } from "./command-line/command-line.ts";
import { type Verdict, describeVerdict, runChecks } from "./check/run-checks.ts";
import { type Tally, add, closingLine, listSkipped, readClosingLine, readTally } from "./tally/tally.ts";

const USAGE = `npm test -- [FILE…] [OPTIONS of Vitest]

Runs all checks, each of which counts as one test, and then the tests and the scenarios of all clients. npm run test:all
also runs the tests that take minutes. The last line says how many passed and failed.
`;

const root = fileURLToPath(new URL("..", import.meta.url));

/** The projects in vitest.config.ts whose tests take minutes. Only `npm run test:all` runs them. */
const SLOW = ["slow", "proof", "soak"];

/** Options and names of files for vitest. */
const chosen = process.argv.slice(2).filter((arg) => arg !== "--all");
startCommand({ usage: USAGE }, chosen.filter(isQuestion));
const isAll = process.argv.includes("--all");

/** The result of a part, and a line for each skipped test. */
type Ended = { readonly tally: Tally; readonly skipped: readonly string[] };

async function check(): Promise<Ended> {
  const verdicts = await runChecks(root, (verdict) => process.stdout.write(describeVerdict(verdict)));
  const select = (wanted: Verdict["outcome"]) => verdicts.filter(({ outcome }) => outcome === wanted);
  const skipped = select("skipped").map(({ check: { name }, output }) => `Skipped: ${name} (${output})`);
  const tally = { passed: select("passed").length, failed: select("failed").length, skipped: skipped.length };
  return { tally, skipped };
}

async function runVitest(): Promise<Ended> {
  const folder = mkdtempSync(join(tmpdir(), "report-"));
  const file = join(folder, "report.json");
  try {
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
    const program = join(root, "node_modules/vitest/vitest.mjs");
    // A slow test that is named is meant.
    const isNamed = chosen.some((arg) => !arg.startsWith("-"));
    const projects = isAll || isNamed ? [] : SLOW.map((name) => `--project=!${name}`);
    const { exitCode } = await run(program, ["run", ...projects, ...reporters, ...chosen]);
    const report = readIfThere(file);
    return { tally: readTally(report, exitCode), skipped: listSkipped(report).map((name) => `Skipped: ${name}`) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Prints its output at its end, since it runs beside the other tests. */
async function runClients(): Promise<Ended> {
  const { output, exitCode } = await run(join(root, "clients/test/run.ts"), [], () => {});
  process.stdout.write(output);
  return { tally: readClosingLine(output, exitCode), skipped: output.match(/^Skipped: .*$/gm) ?? [] };
}

/** Runs a file with Node. @param show Receives the output as it arrives. Default: prints it. */
async function run(
  file: string,
  args: readonly string[],
  show: (text: string) => void = (text) => void process.stdout.write(text),
): Promise<{ output: string; exitCode: number | null }> {
  const child = spawn(process.execPath, [file, ...args], { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    show(text);
    output += text;
  });
  const [exitCode] = (await once(child, "close")) as [number | null];
  return { output, exitCode };
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

// The clients mostly wait for servers, so they run beside the other tests. With --all, the tests keep both cores busy, so the
// clients run afterwards.
const ended = [
  await check(),
  ...(isAll ? [await runVitest(), await runClients()] : await Promise.all([runVitest(), runClients()])),
];
const tally = ended.map((one) => one.tally).reduce(add);
console.log(["", ...ended.flatMap(({ skipped }) => skipped), closingLine(tally)].join("\n"));
process.exitCode = tally.failed === 0 ? 0 : 1;
