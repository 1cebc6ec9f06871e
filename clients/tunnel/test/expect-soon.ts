import { setTimeout as wait } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";

const STEP_MS = 20;

/** Polls until a value equals the expected one. @throws {Error} After 10 s; the message contains the last value. */
export async function expectSoon<T>(read: () => T, wanted: T): Promise<void> {
  for (const deadline = Date.now() + 10_000; ;) {
    const reading = read();
    if (isDeepStrictEqual(reading, wanted)) return;
    if (Date.now() > deadline)
      throw new Error(`The value is ${JSON.stringify(reading)} instead of ${JSON.stringify(wanted)}.`);
    await wait(STEP_MS);
  }
}
