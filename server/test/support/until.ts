import { setTimeout as wait } from "node:timers/promises";

const STEP_MS = 25;

/** Multiplies the tests' time limits. A virtual machine's emulated processor is slow. */
export const PATIENCE = Number(process.env["RBS_PATIENCE"] ?? 1);

/**
 * Polls until a reading satisfies the condition, for changes that no event reports.
 * @returns The last reading.
 * @throws {Error} After `timeoutMs`, with the last reading.
 */
export async function until<T>(
  read: () => T | Promise<T>,
  isDone: (reading: T) => boolean,
  timeoutMs = 20_000,
): Promise<T> {
  const deadline = Date.now() + timeoutMs * PATIENCE;
  for (;;) {
    const reading = await read();
    if (isDone(reading)) return reading;
    if (Date.now() > deadline) {
      throw new Error(`The condition was not met after ${timeoutMs * PATIENCE} ms: ${JSON.stringify(reading)}`);
    }
    await wait(STEP_MS);
  }
}
