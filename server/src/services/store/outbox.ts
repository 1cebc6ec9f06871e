import { waitUpTo } from "../../concurrency/abortable.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";

/** The average delay before retrying failed writes, and its relative spread. */
const RETRY_MS = 5000;
const SPREAD = 0.4;
/** How long a server waits for its last writes when it stops, in ms. */
const FINISH_MS = 1000;

/** A write, and the event to log each time it fails. */
type Entry = {
  readonly write: () => Promise<void>;
  readonly event: string;
  /** The browser's id; undefined if the write concerns several browsers. */
  readonly id?: string;
  readonly accountId?: string;
};

type OutboxNeeds = {
  readonly clock: Clock;
  readonly log: Log;
  /** Returns a random number from 0 to 1, so that servers don't all retry at the same time after a database failure. */
  readonly random?: () => number;
};

/** Retries writes until they succeed. */
export class Outbox {
  readonly #needs: OutboxNeeds;
  /** Failed writes, in the order of their first attempts. */
  readonly #waiting = new Set<Entry>();
  #isRetryDue = false;
  #flushing: Promise<void> | undefined;

  constructor(needs: OutboxNeeds) {
    this.#needs = needs;
  }

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  /** Whether a write for one of the account's browsers is pending. */
  hasAny(accountId: string): boolean {
    return [...this.#waiting].some((entry) => entry.accountId === accountId);
  }

  /** Writes to the store. Logs failures, and retries in the background until the write succeeds. Never rejects. */
  async write(write: () => Promise<void>, about: Omit<Entry, "write">): Promise<void> {
    await this.#try({ write, ...about });
  }

  /** Retries all waiting writes. Concurrent calls share one retry. Never rejects. */
  flush(): Promise<void> {
    return (this.#flushing ??= this.#retryAll().finally(() => (this.#flushing = undefined)));
  }

  /** Retries all waiting writes for at most a second, before the server stops. Never rejects. */
  async finish(): Promise<void> {
    if (!this.isEmpty) await waitUpTo(FINISH_MS, this.#needs.clock, this.flush());
  }

  async #retryAll(): Promise<void> {
    for (const entry of [...this.#waiting]) await this.#try(entry);
    // Other writes may have failed during these retries, and their scheduled retry may already have run.
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
