import { setTimeout as wait } from "node:timers/promises";

const STEP_MS = 25;

/**
 * Waits for what no event announces: looks again and again until a reading is as it has to be.
 * @returns That reading.
 * @throws {Error} With the last reading when it is not so after `timeoutMs`.
 */
export async function until<T>(
  read: () => T | Promise<T>,
  isSo: (reading: T) => boolean,
  timeoutMs = 10_000,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const reading = await read();
    if (isSo(reading)) return reading;
    if (Date.now() > deadline) {
      throw new Error(`It was still so after ${timeoutMs} ms: ${JSON.stringify(reading)}`);
    }
    await wait(STEP_MS);
  }
}
