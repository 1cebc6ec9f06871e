import { Semaphore } from "../../concurrency/semaphore.ts";
import { unavailable } from "../../domain/failure.ts";
import type { Clock } from "../../ports/clock.ts";

/** Simultaneous captures of thumbnails and screenshots. Each keeps a core busy for 0.1 s or more. */
export const CAPTURES_AT_ONCE = 2;

/** How many captures may wait for a permit, and how long in ms. Additional captures are skipped. */
const MAX_WAITING = 100;
const MAX_WAIT_MS = 5000;

/** Simultaneous Screenshot responses, of all accounts and of one account. Each needs several copies of its picture. */
const [SCREENSHOTS_AT_ONCE, SCREENSHOTS_OF_ACCOUNT] = [16, 4];
/** How long a Screenshot request may wait for its permit. A picture takes up to a second. */
const MAX_SCREENSHOT_WAIT_MS = 10_000;

const SHARED_OPTIONS = {
  maxWaiting: MAX_WAITING,
  onFull: () => unavailable("Too many pictures are being taken."),
};

/** Returns permits for capturing browsers, which accounts share. */
export function newCapturePermits(clock: Pick<Clock, "after">): Semaphore {
  return new Semaphore({ ...SHARED_OPTIONS, limit: CAPTURES_AT_ONCE, maxWaitMs: MAX_WAIT_MS, clock });
}

/** Returns permits for Screenshot requests. Several requests can share a picture, but each creates its own response. */
export function newScreenshotPermits(clock: Pick<Clock, "after">): Semaphore {
  return new Semaphore({
    ...SHARED_OPTIONS,
    limit: SCREENSHOTS_AT_ONCE,
    perShare: SCREENSHOTS_OF_ACCOUNT,
    maxWaitMs: MAX_SCREENSHOT_WAIT_MS,
    clock,
  });
}
