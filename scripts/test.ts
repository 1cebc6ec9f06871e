import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describeVerdict, runChecks } from "./check/run-checks.ts";
import { type Tally, add, closingLine, readTally } from "./tally/tally.ts";

/** `npm test`: every check, each counting as one, then every test; the last line says how many passed and failed. */
const root = fileURLToPath(new URL("..", import.meta.url));

async function check(): Promise<Tally> {
  const verdicts = await runChecks(root, (verdict) => process.stdout.write(describeVerdict(verdict)));
  const passed = verdicts.filter(({ isPassed }) => isPassed).length;
  return { passed, failed: verdicts.length - passed, skipped: 0 };
}

async function runVitest(): Promise<Tally> {
  const folder = mkdtempSync(join(tmpdir(), "report-"));
  const report = join(folder, "report.json");
  try {
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
    const program = join(root, "node_modules/vitest/vitest.mjs");
    const child = spawn(process.execPath, [program, "run", ...reporters, ...process.argv.slice(2)], {
      cwd: root,
      stdio: ["ignore", "inherit", "inherit"],
    });
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
    const [exitCode] = (await once(child, "close")) as [number | null];
    return readTally(readIfThere(report), exitCode);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

const tally = add(await check(), await runVitest());
console.log(`\n${closingLine(tally)}`);
process.exitCode = tally.failed === 0 ? 0 : 1;
