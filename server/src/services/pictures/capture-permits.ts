import { Semaphore } from "../../concurrency/semaphore.ts";
import { unavailable } from "../../domain/failure.ts";
import type { Clock } from "../../ports/clock.ts";

/** Maximum simultaneous captures of thumbnails and screenshots. Each capture keeps a core busy for 0.1 s or more. */
export const CAPTURES_AT_ONCE = 2;

/** Maximum number of captures waiting for a permit, and their maximum wait in ms. Additional captures are skipped. */
const MAX_WAITING = 100;
const MAX_WAIT_MS = 5000;

/** Maximum simultaneous Screenshot responses, in total and per account: each needs several copies of its picture. */
const [SCREENSHOTS_AT_ONCE, SCREENSHOTS_OF_ACCOUNT] = [16, 4];
/** The maximum time that a Screenshot request waits for its permit, in ms. A picture takes up to a second. */
const MAX_SCREENSHOT_WAIT_MS = 10_000;

const SHARED_OPTIONS = {
  maxWaiting: MAX_WAITING,
  onFull: () => unavailable("Too many pictures are being taken."),
};

/** Returns the permits for captures, which all accounts share. */
export function newCapturePermits(clock: Pick<Clock, "after">): Semaphore {
  return new Semaphore({ ...SHARED_OPTIONS, limit: CAPTURES_AT_ONCE, maxWaitMs: MAX_WAIT_MS, clock });
}

/** Limits concurrent Screenshot requests. Several requests can share a picture, but each creates its own response. */
export function newScreenshotPermits(clock: Pick<Clock, "after">): Semaphore {
  return new Semaphore({
    ...SHARED_OPTIONS,
    limit: SCREENSHOTS_AT_ONCE,
    perShare: SCREENSHOTS_OF_ACCOUNT,
    maxWaitMs: MAX_SCREENSHOT_WAIT_MS,
    clock,
  });
}
