import { Socket } from "node:net";
import { Client } from "pg";
import { sleep, waitUpTo } from "../../../../concurrency/abortable.ts";
import type { Clock } from "../../../../ports/clock.ts";
import type { Log } from "../../../../ports/log.ts";
import { isDirect } from "./statements.ts";

const CONNECT_TIMEOUT_MS = 5000;
/** How often a silent connection is checked, and how long the response may take. */
const CHECK_MS = 5000;
const KEEP_ALIVE_MS = 10_000;
/** How long the server may take to close the connection. */
const CLOSE_MS = 1000;
const [FIRST_RETRY_MS, LAST_RETRY_MS] = [100, 5000];

type ListenerOptions = {
  /** The URL of PostgreSQL itself: a pooler in transaction mode drops notifications. */
  readonly url: string;
  readonly channel: string;
  readonly clock: Pick<Clock, "after">;
  readonly log: Log;
  /** Returns a random number from 0 to 1. */
  readonly random: () => number;
  /** Called with each notification's text, or with undefined if notifications may have been lost. */
  readonly onText: (text: string | undefined) => void;
};

/** Listens to a channel over its own connection, and reconnects if the connection is lost. Disposing closes it. */
export class Listener implements AsyncDisposable {
  readonly #needs: ListenerOptions;
  readonly #closing = new AbortController();
  readonly #running: Promise<void>;
  /** Number of failures since the last successful check of a connection. */
  #failures = 0;

  constructor(needs: ListenerOptions) {
    this.#needs = needs;
    this.#running = this.#run();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { clock, log, random } = this.#needs;
    const { signal } = this.#closing;
    for (;;) {
      try {
        await this.#listen();
      } catch (error) {
        if (this.#failures === 0 && !signal.aborted) log.warn("feed.lost", { error });
        this.#failures += 1;
      }
      if (signal.aborted) return;
      await sleep(toRetryMs(this.#failures, random), clock, signal);
    }
  }

  /** Resolves after disposal. @throws {Error} If the connection fails or is lost. */
  async #listen(): Promise<void> {
    const { url, channel, clock, log, onText } = this.#needs;
    const { signal } = this.#closing;
    const socket = new Socket();
    const client = new Client({
      connectionString: url,
      // Our own socket can be closed even if the server doesn't respond.
      stream: () => socket,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: CHECK_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      application_name: "remote-browser-service changes",
    });
    const broken = new AbortController();
    client.on("error", (error) => broken.abort(error));
    client.on("notification", ({ payload = "" }) => onText(payload));
    const stop = (): void => void socket.destroy();
    signal.addEventListener("abort", stop);
    try {
      signal.throwIfAborted();
      await client.connect();
      signal.removeEventListener("abort", stop);
      await client.query(`listen ${channel}`);
      if (!(await isDirect(client))) log.warn("feed.pooled", { setting: "RBS_DATABASE_DIRECT_URL" });
      onText(undefined);
      const either = AbortSignal.any([signal, broken.signal]);
      for (;;) {
        await sleep(CHECK_MS, clock, either);
        broken.signal.throwIfAborted();
        if (signal.aborted) return await waitUpTo(CLOSE_MS, clock, client.end());
        await client.query("select 1");
        if (this.#failures > 0) log.info("feed.back");
        this.#failures = 0;
      }
    } finally {
      signal.removeEventListener("abort", stop);
      socket.destroy();
    }
  }
}

/** Returns a delay that doubles with each failure. The random part keeps servers from reconnecting simultaneously. */
export function toRetryMs(failures: number, random: () => number): number {
  return Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** failures) * (0.5 + random() / 2);
}
