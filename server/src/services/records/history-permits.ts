import { Semaphore } from "../../concurrency/semaphore.ts";
import { unavailable } from "../../domain/failure.ts";
import type { Clock } from "../../ports/clock.ts";

/** Histories read at the same time, of all accounts and of one. Other requests also need the database's connections. */
const [READS_AT_ONCE, READS_OF_ACCOUNT] = [3, 2];

/** How many readers may wait for a permit, and how long in ms. */
const MAX_WAITING = 100;
const MAX_WAIT_MS = 10_000;

/** Permits for reading histories: a search in a long one takes a connection for its time. */
export function newHistoryPermits(clock: Pick<Clock, "after">): Semaphore {
  return new Semaphore({
    limit: READS_AT_ONCE,
    perShare: READS_OF_ACCOUNT,
    maxWaiting: MAX_WAITING,
    maxWaitMs: MAX_WAIT_MS,
    clock,
    onFull: () => unavailable("Too many histories are being read."),
  });
}
