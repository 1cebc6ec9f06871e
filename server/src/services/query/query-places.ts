import { Failure } from "../../domain/failure.ts";
import type { Clock } from "../../ports/clock.ts";
import { Semaphore } from "../../concurrency/semaphore.ts";

/** A query that waits holds a connection and no page; one that waits longer than this tries again later. */
const MAX_WAIT_MS = 15_000;
const WAITING_PER_PLACE = 8;
const RETRY_AFTER_S = 5;

/** Places for queries, each of which holds a page of up to 4 MiB until it is answered. */
export function queryPlaces(limit: number, clock: Clock): Semaphore {
  const message = `This server works on ${limit} queries, which is all it can. Try again in ${RETRY_AFTER_S} s.`;
  return new Semaphore({
    limit,
    maxWaiting: limit * WAITING_PER_PLACE,
    maxWaitMs: MAX_WAIT_MS,
    clock,
    onFull: () => new Failure("ProviderUnavailable", message, { retryAfterS: RETRY_AFTER_S }),
  });
}
