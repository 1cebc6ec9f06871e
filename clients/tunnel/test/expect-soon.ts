import { setTimeout as wait } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";

const STEP_MS = 20;

/**
 * Waits for what no event announces: looks again and again until a reading is what it has to be.
 * @throws {Error} With the last reading when it is not after 10 s.
 */
export async function expectSoon<T>(read: () => T, wanted: T): Promise<void> {
  for (const deadline = Date.now() + 10_000; ;) {
    const reading = read();
    if (isDeepStrictEqual(reading, wanted)) return;
    if (Date.now() > deadline) throw new Error(`It is ${JSON.stringify(reading)}, not ${JSON.stringify(wanted)}.`);
    await wait(STEP_MS);
  }
}
