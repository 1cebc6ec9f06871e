import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toFakeTime, toOffset } from "../support/machine/fake-time.ts";
import type { Query } from "../support/databases/exact.ts";

/**
 * Runs a program with a clock on which a month ends, in UTC, after `afterS` seconds. Child processes use the same
 * clock.
 * @returns The program's exit code.
 */
export async function runAtMonthEnd(file: string, args: readonly string[], afterS: number): Promise<number | null> {
  const now = new Date();
  const endMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1);
  const folder = mkdtempSync(join(tmpdir(), "rbs-clock-"));
  try {
    // PostgreSQL and the servers run as other users, which must be able to read the folder.
    chmodSync(folder, 0o755);
    const clock = join(folder, "clock");
    writeFileSync(clock, toOffset(Math.round((endMs - now.getTime()) / 1000 - afterS)));
    const env = { ...process.env, ...toFakeTime(clock) };
    const child = spawn(process.execPath, [file, ...args], { env, stdio: "inherit" });
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => child.kill(signal));
    const [code] = (await once(child, "exit")) as [number | null];
    return code;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns each month's charged minutes. */
export async function readMonths(query: Query): Promise<{ readonly month: string; readonly units: number }[]> {
  return query("select left(day, 7) as month, sum(units)::int as units from daily_usage group by 1 order by 1");
}
