import { type SSEStreamingApi, streamSSE } from "hono/streaming";
import type { Clock } from "../../../ports/clock.ts";
import type { Log } from "../../../ports/log.ts";
import { PageRefusal } from "../../kit/page-refusal.ts";
import type { Browsers } from "../../../services/browsers/browsers.ts";
import type { AccountEvents } from "../../../services/browsers/account-events.ts";
import type { Sessions } from "../../../services/accounts/sessions.ts";
import type { Guards } from "../../kit/guards.ts";
import type { MemberContext } from "../../kit/page-context.ts";

/** Proxies on the way take a connection for dead that says nothing for half a minute or longer. */
const HEARTBEAT_MS = 20_000;
/** What comes within this time after a change is told with it. */
const SETTLE_MS = 200;
/** Streams of one account: as many as a person has windows side by side. One more ends the oldest. */
const MAX_STREAMS = 10;
/** For telling that. A page that isn't told comes back, and ends another's. */
const EVICTION_MS = 1000;
/** After this a page comes back whose stream has ended. */
const RETRY_MS = 3000;

export type EventNeeds = {
  readonly events: Pick<AccountEvents, "subscribe">;
  readonly sessions: Pick<Sessions, "isAlive">;
  readonly browsers: Pick<Browsers, "shutdown">;
  readonly clock: Pick<Clock, "after">;
  readonly log: Log;
};

/** Tells pages that something about their account's browsers has changed; what, they see by asking again. */
export function mountEvents({ member }: Guards, needs: EventNeeds): void {
  const { browsers, clock, log } = needs;
  /** By account, the oldest first; aborted when another takes its place. */
  const streams = new Map<string, Set<AbortController>>();

  member.get("/dashboard/events", (context) => {
    const { c, account } = context;
    checkIsOurPage(context);
    // Nobody would ever read the stream.
    if (c.req.method === "HEAD") return c.body(null);
    if (browsers.shutdown.aborted) {
      throw new PageRefusal(503, "Shutting down", "This server is shutting down: try again in a moment.");
    }
    const [ending, evicted] = [new AbortController(), new AbortController()];
    const own = (streams.get(account.id) ?? new Set()).add(evicted);
    streams.set(account.id, own);
    ending.signal.addEventListener("abort", () => {
      own.delete(evicted);
      // An evicted one may end last, when others are there already.
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
      const over = AbortSignal.any([ending.signal, browsers.shutdown]);
      // Also what a client that takes nothing in is still owed is given up then.
      over.addEventListener("abort", () => stream.abort());
      stream.onAbort(() => ending.abort());
      try {
        await follow(context, needs, stream, { over, evicted: evicted.signal });
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

/** Resolves when there is nothing more to tell: the session or the account has ended, the client has gone, another stream has its place, or it is over. */
async function follow(
  { account, secret }: MemberContext,
  { events, sessions, clock }: EventNeeds,
  stream: SSEStreamingApi,
  { over, evicted }: Record<"over" | "evicted", AbortSignal>,
): Promise<void> {
  let change = new AbortController();
  const unsubscribe = events.subscribe(account.id, () => change.abort());
  try {
    // What a page sees before any change: that it is connected.
    await stream.write(`retry: ${RETRY_MS}\n\n`);
    for (;;) {
      await pause(clock, HEARTBEAT_MS, [over, evicted, change.signal]);
      const isChanged = change.signal.aborted;
      if (isChanged) await pause(clock, SETTLE_MS, [over, evicted]);
      // From here on it is a new one: what the page sees when it asks may be without it.
      change = new AbortController();
      // A page that is left open is no visit: it does not keep its session going.
      if (over.aborted || !(await sessions.isAlive(secret))) return;
      if (evicted.aborted) return await stream.writeSSE({ event: "evicted", data: "" });
      if (isChanged) await stream.writeSSE({ event: "changed", data: "" });
      else await stream.write(": still here\n\n");
    }
  } finally {
    unsubscribe();
  }
}

/** Resolves after this time, or when one of the signals is aborted. */
async function pause(clock: EventNeeds["clock"], ms: number, signals: readonly AbortSignal[]): Promise<void> {
  if (signals.some(({ aborted }) => aborted)) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const cancel = clock.after(ms, resolve);
  const wake = (): void => resolve();
  for (const signal of signals) signal.addEventListener("abort", wake);
  await promise;
  cancel();
  for (const signal of signals) signal.removeEventListener("abort", wake);
}

/** Sites on other ports of this host have the same cookie, and would take up the streams that a person has. */
function checkIsOurPage({ c }: MemberContext): void {
  const site = c.req.header("Sec-Fetch-Site");
  if (site === undefined || site === "same-origin" || site === "none") return;
  throw new PageRefusal(403, "Not from this page", "Only this server's own pages follow what happens here.");
}
