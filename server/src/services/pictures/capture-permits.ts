import { Semaphore } from "../../concurrency/semaphore.ts";
import { type Failure, unavailable } from "../../domain/failure.ts";
import type { Clock } from "../../ports/clock.ts";

/** Thumbnails and screenshots that are captured at the same time; each keeps a core busy for 0.1 s or more. */
export const CAPTURES_AT_ONCE = 2;

/** How many captures may wait for a permit, and how long in ms. Additional captures are skipped. */
const MAX_WAITING = 100;
const MAX_WAIT_MS = 5000;

/** Screenshot requests whose answers are made at the same time, of all accounts and of one. Each has several copies. */
const [SCREENSHOTS_AT_ONCE, SCREENSHOTS_OF_ACCOUNT] = [16, 4];
/** How long a Screenshot request may wait for its permit. A picture takes up to a second. */
const MAX_SCREENSHOT_WAIT_MS = 10_000;

/** Permits for capturing what browsers show. Each account gets its share of them. */
export function newCapturePermits(clock: Pick<Clock, "after">): Semaphore {
  return new Semaphore({
    limit: CAPTURES_AT_ONCE,
    maxWaiting: MAX_WAITING,
    maxWaitMs: MAX_WAIT_MS,
    clock,
    onFull: toTooMany,
  });
}

/** Permits for Screenshot requests. Several can get the same picture, and each makes its own answer from it. */
export function newScreenshotPermits(clock: Pick<Clock, "after">): Semaphore {
  return new Semaphore({
    limit: SCREENSHOTS_AT_ONCE,
    perShare: SCREENSHOTS_OF_ACCOUNT,
    maxWaiting: MAX_WAITING,
    maxWaitMs: MAX_SCREENSHOT_WAIT_MS,
    clock,
    onFull: toTooMany,
  });
}

function toTooMany(): Failure {
  return unavailable("Too many pictures are being taken.");
}
