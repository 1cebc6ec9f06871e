import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

/** What the kernel calls a clock tick: `getconf CLK_TCK` is 100 on all systems that we run on. */
const TICKS_PER_SECOND = 100;

/** The processor time of this process and of its descendants that have ended and were waited for, in s. Linux only. */
export function usedSeconds(): number {
  const stat = readFileSync("/proc/self/stat", "utf8");
  // The name, in parentheses, may have spaces. Then come fields 3 and up; 14 to 17 are the times.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND;
}

/** Work that is the same on all machines. @returns The processor time that it took, in s. */
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
 * Sums up what the files of a run used, by folder. The end-to-end tests of the server are a part of their own.
 * @param report Lines of JSON, as `count-processor-time.ts` writes them.
 * @param root The workspace, with a slash at its end.
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
