import { readFileSync } from "node:fs";

/** Linux counts the time of processes in ticks of this length. */
const TICK_MS = 10;

/** The places of user and system time behind the name: proc_pid_stat(5). */
const [USER, SYSTEM] = [12, 13];

/** The processor time that a process has used so far, in ms, without its children's; 0 if it has ended. Takes 30 µs. */
export function readProcessorMs(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name is in parentheses, and can contain anything.
    const values = stat.slice(stat.lastIndexOf(")")).split(" ").map(Number);
    return ((values[USER] ?? 0) + (values[SYSTEM] ?? 0)) * TICK_MS;
  } catch {
    return 0;
  }
}
