import { Semaphore } from "../../concurrency/semaphore.ts";
import { Failure } from "../../domain/failure.ts";
import type { Clock } from "../../ports/clock.ts";

/** Thumbnails and screenshots that are captured at the same time; each keeps a core busy for 0.1 s or more. */
export const CAPTURES_AT_ONCE = 2;

/** How many captures may wait for a permit, and how long in ms. Additional captures are skipped. */
const MAX_WAITING = 100;
const MAX_WAIT_MS = 5000;

const RETRY_AFTER_S = 5;

/** Permits for capturing what browsers show. Each account gets its share of them. */
export function newCapturePermits(clock: Pick<Clock, "after">): Semaphore {
  const message = `Too many pictures are being taken: try again in ${RETRY_AFTER_S} s.`;
  return new Semaphore({
    limit: CAPTURES_AT_ONCE,
    maxWaiting: MAX_WAITING,
    maxWaitMs: MAX_WAIT_MS,
    clock,
    onFull: () => new Failure("BrowserUnavailable", message, { retryAfterS: RETRY_AFTER_S }),
  });
}
