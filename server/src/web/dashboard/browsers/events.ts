import { type SSEStreamingApi, streamSSE } from "hono/streaming";
import { sleep } from "../../../concurrency/abortable.ts";
import { PageError } from "../../kit/errors.ts";
import type { Guards } from "../../kit/guards.ts";
import type { UserContext } from "../../kit/page-context.ts";
import type { PageServices } from "../../kit/page-services.ts";

/** Proxies close connections that are silent for 30 s or more. */
const HEARTBEAT_MS = 20_000;
/** Changes within this time are reported together. */
const SETTLE_MS = 200;
/** Maximum number of streams per account. Each additional stream closes the oldest one. */
const MAX_STREAMS = 10;
/** Time limit for an eviction report, in ms. A page that misses the report reconnects, and evicts another stream. */
const EVICTION_MS = 1000;
/** Delay before a page reconnects after its stream ends. */
const RETRY_MS = 3000;

type EventServices = Pick<PageServices, "events" | "shutdown" | "clock" | "log"> & {
  readonly sessions: Pick<PageServices["sessions"], "isAlive">;
};

/** Mounts the stream that notifies pages when their account's browsers change. Pages then reload their content. */
export function mountEvents({ user }: Guards, services: EventServices): void {
  const { shutdown, clock, log } = services;
  /** Each account's streams, oldest first. Aborting a controller evicts its stream. */
  const streams = new Map<string, Set<AbortController>>();

  user.get("/dashboard/events", (context) => {
    const { c, account } = context;
    checkIsOurPage(context);
    if (c.req.method === "HEAD") return c.body(null);
    if (shutdown.aborted) {
      throw new PageError(503, "Shutting down", "This server is shutting down. Try again in a moment.");
    }
    const [ending, evicted] = [new AbortController(), new AbortController()];
    const own = (streams.get(account.id) ?? new Set()).add(evicted);
    streams.set(account.id, own);
    ending.signal.addEventListener("abort", () => {
      own.delete(evicted);
      // An evicted stream can end after newer streams have begun.
      if (own.size === 0 && streams.get(account.id) === own) streams.delete(account.id);
    });
    evicted.signal.addEventListener("abort", () => {
      own.delete(evicted);
      ending.signal.addEventListener(
        "abort",
        clock.after(EVICTION_MS, () => ending.abort()),
      );
    });
    const [oldest] = own;
    if (own.size > MAX_STREAMS) oldest?.abort();

    c.header("X-Accel-Buffering", "no");
    const answer = streamSSE(c, async (stream) => {
      const over = AbortSignal.any([ending.signal, shutdown]);
      // This also ends the stream of a client that has stopped reading.
      over.addEventListener("abort", () => stream.abort());
      stream.onAbort(() => ending.abort());
      try {
        await follow(context, services, stream, { over, evicted: evicted.signal });
      } catch (error) {
        log.error("events.failed", { requestId: c.get("requestId"), error });
      } finally {
        ending.abort();
      }
    });
    answer.headers.set("Cache-Control", "no-store");
    return answer;
  });
}

/**
 * Resolves when the stream must end because the session or the account has ended, the client has disconnected, or the
 * stream was evicted.
 */
async function follow(
  { account, secret }: UserContext,
  { events, sessions, clock }: EventServices,
  stream: SSEStreamingApi,
  { over, evicted }: Record<"over" | "evicted", AbortSignal>,
): Promise<void> {
  let change = new AbortController();
  const unsubscribe = events.subscribe(account.id, () => change.abort());
  try {
    // Send this line immediately, so that the page knows that it is connected.
    await stream.write(`retry: ${RETRY_MS}\n\n`);
    for (;;) {
      await sleep(HEARTBEAT_MS, clock, AbortSignal.any([over, evicted, change.signal]));
      const isChanged = change.signal.aborted;
      if (isChanged) await sleep(SETTLE_MS, clock, AbortSignal.any([over, evicted]));
      // Later changes need a new event, because the page may have loaded before they occur.
      change = new AbortController();
      // An open page doesn't extend its session.
      if (over.aborted || !(await sessions.isAlive(secret))) return;
      if (evicted.aborted) return await stream.writeSSE({ event: "evicted", data: "" });
      if (isChanged) await stream.writeSSE({ event: "changed", data: "" });
      else await stream.write(": still here\n\n");
    }
  } finally {
    unsubscribe();
  }
}

/** Sites on other ports of this host share the cookie, and could use up the account's streams. */
function checkIsOurPage({ c }: UserContext): void {
  const site = c.req.header("Sec-Fetch-Site");
  if (site === undefined || site === "same-origin" || site === "none") return;
  throw new PageError(403, "Wrong page", "Only this server's own pages can subscribe to these events.");
}
