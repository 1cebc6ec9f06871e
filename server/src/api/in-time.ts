import { orAborted, withTimeout } from "../concurrency/abortable.ts";

/** For sending a body while something is held for it: 4 MiB in this time take 1.7 Mbit/s. */
export const MAX_BODY_MS = 20_000;

/**
 * A body that trickles in would be waited for as long as Node lets requests take. What is left of it is taken in and
 * forgotten once it is answered, until the connection closes half a second later.
 * @param toError What is thrown when the body has not arrived in time.
 */
export async function inTime<Body>(
  reading: Promise<Body>,
  after: (delayMs: number, call: () => void) => () => void,
  toError: () => Error,
): Promise<Body> {
  return withTimeout({ timeoutMs: MAX_BODY_MS, clock: { after }, toError }, (signal) => orAborted(reading, signal));
}
