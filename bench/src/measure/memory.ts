import { readFileSync } from "node:fs";

const SAMPLE_MS = 20;

/** Memory of one process, its children left out, that lies in RAM. @throws {Error} When it is gone. */
export function readRssBytes(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  if (kilobytes === undefined) throw new Error(`Process ${pid} has no memory any more.`);
  return Number(kilobytes) * 1024;
}

/** The most that a process holds while something goes on. */
export async function peakRssBytes(pid: number, while_: () => Promise<unknown>): Promise<number> {
  let peak = readRssBytes(pid);
  const sample = (): void => {
    peak = Math.max(peak, readRssBytes(pid));
  };
  const timer = setInterval(sample, SAMPLE_MS);
  try {
    await while_();
    sample();
    return peak;
  } finally {
    clearInterval(timer);
  }
}
