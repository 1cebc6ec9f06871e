import { waitUpTo } from "../../concurrency/abortable.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";

/** The average time until failed writes are tried again, and how much one wait differs from it. */
const RETRY_MS = 5000;
const SPREAD = 0.4;
/** How long a server that stops waits for the last writes, in ms. */
const FINISH_MS = 1000;

/** A write, and the event that is logged for each of its failures. */
type Entry = {
  readonly write: () => Promise<void>;
  readonly event: string;
  /** The browser that it is about, and its account; undefined: several. */
  readonly id?: string;
  readonly accountId?: string;
};

type OutboxNeeds = {
  readonly clock: Clock;
  readonly log: Log;
  /** A random number from 0 to 1, so that servers don't all write at the moment when their database works again. */
  readonly random?: () => number;
};

/** Writes that have to be done, at the latest when the store works again. */
export class Outbox {
  readonly #needs: OutboxNeeds;
  /** Those that have failed, in the order of their first try. */
  readonly #waiting = new Set<Entry>();
  #isRetryDue = false;
  #flushing: Promise<void> | undefined;

  constructor(needs: OutboxNeeds) {
    this.#needs = needs;
  }

  /** Whether nothing waits to be written. */
  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  /** Whether something about an account's browsers waits to be written. */
  hasAny(accountId: string): boolean {
    return [...this.#waiting].some((entry) => entry.accountId === accountId);
  }

  /**
   * Writes to the store. A write that fails is logged, and retried in the background until it succeeds. Never rejects.
   */
  async write(write: () => Promise<void>, about: Omit<Entry, "write">): Promise<void> {
    await this.#try({ write, ...about });
  }

  /** Retries everything that waits. Concurrent callers share a try. Never rejects. */
  flush(): Promise<void> {
    return (this.#flushing ??= this.#retryAll().finally(() => (this.#flushing = undefined)));
  }

  /** Retries everything that waits, for a second at most: the server stops. Never rejects. */
  async finish(): Promise<void> {
    if (!this.isEmpty) await waitUpTo(FINISH_MS, this.#needs.clock, this.flush());
  }

  async #retryAll(): Promise<void> {
    for (const entry of [...this.#waiting]) await this.#try(entry);
    // Others may have failed during these tries, and their time for a retry may have come and gone.
    if (this.#waiting.size > 0) this.#retryLater();
  }

  async #try(entry: Entry): Promise<void> {
    try {
      await entry.write();
      this.#waiting.delete(entry);
    } catch (error) {
      this.#needs.log.error(entry.event, { ...(entry.id !== undefined && { id: entry.id }), error });
      this.#waiting.add(entry);
      this.#retryLater();
    }
  }

  #retryLater(): void {
    const { clock, random = () => 0.5 } = this.#needs;
    if (this.#isRetryDue) return;
    this.#isRetryDue = true;
    clock.after(RETRY_MS * (1 + SPREAD * (random() - 0.5)), () => {
      this.#isRetryDue = false;
      void this.flush();
    });
  }
}
