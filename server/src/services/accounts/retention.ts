import { repeat } from "../../concurrency/repeat.ts";
import { DAY_MS, HOUR_MS } from "../../domain/durations.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { BrowserStore, Store } from "../../ports/store/store.ts";

/** Time for which an Idempotency-Key belongs to a browser after the browser ends, in days. */
const KEY_DAYS = 1;

/** Records per statement. Larger batches would delay other writes. */
const BATCH = 500;
/** The pause between batches, which leaves the database free for other queries most of the time. */
const PAUSE_MS = 100;

type RetentionNeeds = {
  readonly store: Pick<Store, "deleteEnded"> & { readonly browsers: Pick<BrowserStore, "freeKeys"> };
  /** Days for which the records of ended browsers are kept; undefined: forever. */
  readonly days: number | undefined;
  readonly clock: Clock;
  readonly log: Log;
};

/**
 * Deletes old records of ended browsers, and frees their Idempotency-Keys after a day. Runs on startup and then hourly,
 * until disposed.
 */
export class Retention implements Disposable {
  readonly #needs: RetentionNeeds;
  #batches: Disposable | undefined;

  constructor(needs: RetentionNeeds) {
    this.#needs = needs;
  }

  start(): void {
    this.#batches = repeat(0, this.#needs.clock, async () => ((await this.#deleteBatch()) ? HOUR_MS : PAUSE_MS));
  }

  /** @returns Whether to pause until the next hour, because no more records are old enough or the store failed. */
  async #deleteBatch(): Promise<boolean> {
    const { store, days, clock, log } = this.#needs;
    const daysAgo = (past: number): Date => new Date(clock.now().getTime() - past * DAY_MS);
    try {
      const freed = await store.browsers.freeKeys(daysAgo(KEY_DAYS), BATCH);
      const deleted = days === undefined ? 0 : await store.deleteEnded(daysAgo(days), BATCH);
      return Math.max(freed, deleted) < BATCH;
    } catch (error) {
      log.error("history.delete_failed", { error });
      return true;
    }
  }

  [Symbol.dispose](): void {
    this.#batches?.[Symbol.dispose]();
  }
}
