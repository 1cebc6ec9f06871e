import { readFileSync } from "node:fs";

const SAMPLE_MS = 20;

/** Returns the resident memory of one process, without its children. @throws {Error} If the process has exited. */
export function readRssBytes(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  if (kilobytes === undefined) throw new Error(`Process ${pid} has exited.`);
  return Number(kilobytes) * 1024;
}

/** Returns a process's peak resident memory while `work` runs. */
export async function peakRssBytes(pid: number, work: () => Promise<unknown>): Promise<number> {
  let peak = readRssBytes(pid);
  const sample = (): void => {
    peak = Math.max(peak, readRssBytes(pid));
  };
  const timer = setInterval(sample, SAMPLE_MS);
  try {
    await work();
    sample();
    return peak;
  } finally {
    clearInterval(timer);
  }
}
