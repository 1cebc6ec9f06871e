import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

/** The kernel's clock ticks: `getconf CLK_TCK` is 100 on all systems that we support. */
const TICKS_PER_SECOND = 100;

/** Returns the processor time used by this process and its reaped descendants, in s. Linux only. */
export function usedSeconds(): number {
  const stat = readFileSync("/proc/self/stat", "utf8");
  // The name, in parentheses, may contain spaces. Field 3 follows it, and fields 14 to 17 are the times.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND;
}

/** Does the same amount of work on all machines. @returns The processor time, in s. */
export function measureYardstick(): number {
  const before = usedSeconds();
  const block = Buffer.alloc(2 ** 20, 1);
  const numbers = Array.from({ length: 200_000 }, (_, index) => (index * 7919) % 104_729);
  for (let round = 0; round < 10; round += 1) {
    for (let each = 0; each < 16; each += 1) createHash("sha512").update(block).digest();
    JSON.parse(JSON.stringify(numbers.toSorted((a, b) => a - b)));
  }
  return usedSeconds() - before;
}

/**
 * Adds up the processor time of test files, by folder. The server's end-to-end tests are counted separately.
 * @param report Lines of JSON from `count-processor-time.ts`.
 * @param root The workspace's path, with a trailing slash.
 */
export function sumUp(report: string, root: string): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const line of report.split("\n").filter(Boolean)) {
    const { file, seconds } = JSON.parse(line) as { readonly file: string; readonly seconds: number };
    const path = file.replace(root, "");
    const part = path.startsWith("server/test/") ? "e2e" : path.slice(0, path.indexOf("/"));
    sums[part] = (sums[part] ?? 0) + seconds;
  }
  return sums;
}
