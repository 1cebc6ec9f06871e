import { Semaphore } from "../../concurrency/semaphore.ts";
import type { Account } from "../../domain/account/account.ts";
import type { BrowserSelector } from "../../domain/browser/selector.ts";
import { Failure, unavailable } from "../../domain/failure.ts";
import { DAY_MS } from "../../domain/durations.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Fleet, RecentBrowser } from "../../ports/fleet.ts";
import type { BrowserFilter, EndedBrowser, UsageStore } from "../../ports/store/usage-store.ts";
import { type HistoryCursor, type HistoryView, readCursor, toCursorText } from "./history-cursor.ts";

const END_OF_TIME = new Date(8.64e15);
/** An upper bound on the browsers that can end while a history is read. */
const MAX_ENDED_MEANWHILE = 10_000;

/** Maximum simultaneous history reads, in total and per account. Each read needs a database connection. */
const [READS_AT_ONCE, READS_OF_ACCOUNT] = [3, 2];
/** The maximum number of readers that wait for a permit, and their maximum wait in ms. */
const [MAX_WAITING, MAX_WAIT_MS] = [100, 10_000];

type BrowserRecordsNeeds = {
  readonly fleet: Pick<Fleet, "findRecent" | "listRecent" | "wait">;
  readonly store: Pick<UsageStore, "findEnded" | "ended" | "endedBetween">;
  readonly clock: Clock;
  /** The number of days for which ended browsers' records are kept; undefined to keep them forever. */
  readonly historyDays: number | undefined;
};

/** A browser in any state. */
export type BrowserRecord = RecentBrowser | EndedBrowser;

type HistoryPage = {
  readonly browsers: readonly BrowserRecord[];
  /** The next page's cursor; undefined on the last page. */
  readonly next: string | undefined;
  /** The time before which ended browsers have been deleted; undefined if all records are kept. */
  readonly keptSince: Date | undefined;
};

export class BrowserRecords {
  readonly #needs: BrowserRecordsNeeds;
  readonly #permits: Semaphore;

  constructor(needs: BrowserRecordsNeeds) {
    this.#needs = needs;
    this.#permits = new Semaphore({
      limit: READS_AT_ONCE,
      perShare: READS_OF_ACCOUNT,
      maxWaiting: MAX_WAITING,
      maxWaitMs: MAX_WAIT_MS,
      clock: needs.clock,
      onFull: () => unavailable("Too many histories are being read."),
    });
  }

  /** The time before which ended browsers have been deleted; undefined if all records are kept. */
  get keptSince(): Date | undefined {
    const { clock, historyDays } = this.#needs;
    return historyDays === undefined ? undefined : new Date(clock.now().getTime() - historyDays * DAY_MS);
  }

  /** @throws {Failure} `BrowserNotFound` if the browser is unknown, another account's, or no longer recorded. */
  async find(account: Account, selector: BrowserSelector): Promise<BrowserRecord> {
    const { fleet, store } = this.#needs;
    const found = (await fleet.findRecent(account, selector)) ?? (await store.findEnded(account.id, selector));
    if (found !== undefined) return found;
    throw new Failure(
      "BrowserNotFound",
      `This account has no browser with this ${"id" in selector ? "id" : "address"}: the value is incomplete, or the browser's record was deleted.`,
    );
  }

  /**
   * Waits until a browser ends, for at most `maxMs`.
   * @throws {Failure} Like `find`; `BrowserUnavailable` if too many requests wait for the browser.
   * @throws {unknown} `signal.reason`.
   */
  async wait(account: Account, selector: BrowserSelector, maxMs: number, signal: AbortSignal): Promise<BrowserRecord> {
    return (await this.#needs.fleet.wait(account, selector, maxMs, signal)) ?? this.find(account, selector);
  }

  /**
   * Lists browsers page by page. Together, the pages list each browser once, as of the first page: open browsers (most
   * recently opened first), then ended browsers (most recently ended first).
   * @param cursor The previous page's `next`; undefined for the first page.
   * @throws {Failure} `BadRequest` for an invalid cursor; `BrowserUnavailable` if too many histories are being read.
   */
  async list(account: Account, filter: BrowserFilter, limit: number, cursor: string | undefined): Promise<HistoryPage> {
    const { fleet, store, clock } = this.#needs;
    using _permit = await this.#permits.acquire(undefined, account.id);
    const now = clock.now();
    const recent = await fleet.listRecent(account);
    const { after, ...view } = cursor === undefined ? toView(now, recent) : readCursor(cursor);
    // One extra browser is read to find out whether another page follows.
    const wanted = limit + 1;
    const open = after?.part === "ended" ? [] : await this.#openIn(view, account, recent);
    const previous = after && { openedAt: after.at, id: after.id };
    const browsers: BrowserRecord[] = open
      .filter((browser) => isWanted(browser, filter) && (previous === undefined || byOpening(browser, previous) > 0))
      .slice(0, wanted);
    if (browsers.length < wanted) {
      const start = after?.part === "ended" ? { closedAt: after.at, id: after.id } : undefined;
      const rest = { ...filter, endedBefore: view.endedBefore };
      browsers.push(...(await store.ended(account.id, start, wanted - browsers.length, rest)));
    }
    const page = browsers.slice(0, limit);
    const last = browsers.length > limit ? page.at(-1) : undefined;
    return { browsers: page, next: last && toCursorText(view, toCursor(last, view)), keptSince: this.keptSince };
  }

  /** Returns the browsers that a view shows as open, most recently opened first. */
  async #openIn(
    { readAt, endedBefore }: HistoryView,
    account: Account,
    recent: readonly RecentBrowser[],
  ): Promise<BrowserRecord[]> {
    // Read ended browsers last. Otherwise, a record written between the two reads would be missed.
    const within = { from: endedBefore, to: END_OF_TIME };
    const ended = await this.#needs.store.endedBetween(account.id, within, undefined, MAX_ENDED_MEANWHILE);
    const byId = new Map<string, BrowserRecord>([...recent, ...ended].map((browser) => [browser.id, browser]));
    return [...byId.values()].filter(({ openedAt }) => openedAt <= readAt).toSorted(byOpening);
  }
}

/** Returns a current view. A browser is shown as open until the store has recorded its end. */
function toView(now: Date, recent: readonly RecentBrowser[]): HistoryView & { readonly after: undefined } {
  const ends = recent.flatMap(({ end }) => end?.at.getTime() ?? []);
  return { readAt: now, endedBefore: new Date(Math.min(now.getTime(), ...ends)), after: undefined };
}

/** Returns a browser's end time. For open browsers, the date is invalid, so comparisons with it are false. */
export function endOf(browser: BrowserRecord): Date {
  if ("closedAt" in browser) return browser.closedAt;
  return browser.end?.at ?? new Date(NaN);
}

/** Sorts browsers, most recently opened first. */
function byOpening(one: Pick<BrowserRecord, "openedAt" | "id">, other: Pick<BrowserRecord, "openedAt" | "id">): number {
  return other.openedAt.getTime() - one.openedAt.getTime() || (one.id < other.id ? 1 : one.id > other.id ? -1 : 0);
}

function isWanted(browser: BrowserRecord, { since, until, label, tag }: BrowserFilter): boolean {
  return (
    !(since !== undefined && endOf(browser) < since) &&
    (until === undefined || browser.openedAt < until) &&
    (label === undefined || browser.label === label) &&
    (tag === undefined || browser.tags.includes(tag))
  );
}

function toCursor(browser: BrowserRecord, { endedBefore }: HistoryView): HistoryCursor {
  const closedAt = endOf(browser);
  return closedAt < endedBefore
    ? { part: "ended", at: closedAt, id: browser.id }
    : { part: "open", at: browser.openedAt, id: browser.id };
}
