import { type Kysely, sql } from "kysely";
import { waitUpTo } from "../../../concurrency/abortable.ts";
import type { ChangeFeed } from "../../../ports/store/change-feed.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { Log } from "../../../ports/log.ts";
import type { Tables } from "../schema.ts";
import { Listener, toRetryMs } from "./connection/listener.ts";

const CHANNEL = "account_changes";
/** Changes are batched, because each notification locks the whole database and wakes every listener. */
const COLLECT_MS = 200;
/** Notifications are limited to 8,000 bytes: https://www.postgresql.org/docs/current/sql-notify.html */
const MAX_IDS = 150;
/** Sent instead of account ids if a change affects all accounts. */
const ALL = "*";
/** A sender id that belongs to no process, so that every process handles the notification. */
const NO_INSTANCE = "-";
const CLOSE_MS = 1000;

/** Reports a change to all accounts, even from a process without a feed. */
export async function reportAllChanged(db: Kysely<Tables>): Promise<void> {
  await sql`select pg_notify(${CHANNEL}, ${`${NO_INSTANCE} ${ALL}`})`.execute(db);
}

export type FeedOptions = {
  /** The URL of PostgreSQL itself, not of a pooler. */
  readonly directUrl: string;
  readonly clock: Pick<Clock, "after">;
  readonly log: Log;
  /** Returns a random number from 0 to 1. */
  readonly random: () => number;
};

type ChangeFeedOptions = FeedOptions & {
  readonly db: Kysely<Tables>;
  /** Identifies this run of the server. */
  readonly instance: string;
};

/**
 * Publishes changes in notifications that begin with the sender's instance id. After a failure, publishes a change to
 * all accounts as soon as the database is available again.
 */
export class PostgresChangeFeed implements ChangeFeed {
  readonly #needs: ChangeFeedOptions;
  #pending = new Set<string>();
  /** Set from the first change until the notification is sent. */
  #cancel: (() => void) | undefined;
  #sending: Promise<void> | undefined;
  #failures = 0;
  #listener: Listener | undefined;
  #closing: Promise<void> | undefined;

  constructor(needs: ChangeFeedOptions) {
    this.#needs = needs;
  }

  publish(accountId: string): void {
    if (this.#closing !== undefined) return;
    if (!this.#pending.has(ALL)) this.#pending.add(accountId);
    if (this.#pending.size > MAX_IDS) this.#pending = new Set([ALL]);
    this.#sendAfter(COLLECT_MS);
  }

  listen(onChange: (accountId: string | undefined) => void): void {
    const { directUrl, instance, ...needs } = this.#needs;
    this.#listener ??= new Listener({
      ...needs,
      url: directUrl,
      channel: CHANNEL,
      onText(text) {
        const [sender, ...ids] = text?.split(" ") ?? ["", ALL];
        if (sender !== instance) for (const id of ids) onChange(id === ALL ? undefined : id);
      },
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    this.#cancel?.();
    const sent = (async () => {
      await this.#sending;
      if (this.#pending.size > 0) await this.#send();
    })();
    await Promise.all([waitUpTo(CLOSE_MS, this.#needs.clock, sent), this.#listener?.[Symbol.asyncDispose]()]);
  }

  #sendAfter(delayMs: number): void {
    this.#cancel ??= this.#needs.clock.after(delayMs, () => {
      this.#sending = this.#send().then(() => {
        this.#sending = this.#cancel = undefined;
        if (this.#pending.size === 0 || this.#closing !== undefined) return;
        this.#sendAfter(this.#failures === 0 ? COLLECT_MS : toRetryMs(this.#failures, this.#needs.random));
      });
    });
  }

  /** Never rejects. */
  async #send(): Promise<void> {
    const { db, instance, log } = this.#needs;
    const text = [instance, ...this.#pending].join(" ");
    this.#pending = new Set();
    try {
      await sql`select pg_notify(${CHANNEL}, ${text})`.execute(db);
      this.#failures = 0;
    } catch (error) {
      if (this.#failures === 0) log.warn("feed.publish_failed", { error });
      this.#failures += 1;
      this.#pending = new Set([ALL]);
    }
  }
}
