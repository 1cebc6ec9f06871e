import { Semaphore } from "../../concurrency/semaphore.ts";
import type { Account } from "../../domain/account/account.ts";
import type { BrowserSelector } from "../../domain/browser/selector.ts";
import { Failure, unavailable } from "../../domain/failure.ts";
import { DAY_MS } from "../../domain/durations.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Fleet, RecentBrowser } from "../../ports/fleet.ts";
import type { BrowserFilter, EndedBrowser, UsageStore } from "../../ports/store/usage-store.ts";
import { type HistoryCursor, type HistoryView, readCursor, toCursorText } from "./history-cursor.ts";

/** Later than every end. */
const END_OF_TIME = new Date(8.64e15);
/** More browsers than an account opens and closes while a history is read. */
const MAX_ENDED_MEANWHILE = 10_000;

/** Histories read at the same time, of all accounts and of one. A search takes a connection of the database. */
const [READS_AT_ONCE, READS_OF_ACCOUNT] = [3, 2];
/** How many readers may wait for a permit, and how long in ms. */
const [MAX_WAITING, MAX_WAIT_MS] = [100, 10_000];

type BrowserRecordsNeeds = {
  readonly fleet: Pick<Fleet, "findRecent" | "listRecent" | "wait">;
  readonly store: Pick<UsageStore, "findEnded" | "ended" | "endedBetween">;
  readonly clock: Clock;
  /** How long the records of ended browsers are kept; undefined: forever. */
  readonly historyDays: number | undefined;
};

/** A browser in any state. */
export type BrowserRecord = RecentBrowser | EndedBrowser;

export type HistoryPage = {
  readonly browsers: readonly BrowserRecord[];
  /** The cursor of the next page; undefined: this is the last one. */
  readonly next: string | undefined;
  /** Undefined: all records are kept. */
  readonly keptSince: Date | undefined;
};

/** Shows browsers that are open, and those that have ended. */
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

  /** Browsers that ended before this moment have been deleted; undefined: all records are kept. */
  get keptSince(): Date | undefined {
    const { clock, historyDays } = this.#needs;
    return historyDays === undefined ? undefined : new Date(clock.now().getTime() - historyDays * DAY_MS);
  }

  /** @throws {Failure} `BrowserNotFound` for a browser that is unknown, another account's, or not recorded any more. */
  async find(account: Account, selector: BrowserSelector): Promise<BrowserRecord> {
    const { fleet, store } = this.#needs;
    const found = (await fleet.findRecent(account, selector)) ?? (await store.findEnded(account.id, selector));
    if (found !== undefined) return found;
    throw new Failure(
      "BrowserNotFound",
      `This account has no browser with this ${"id" in selector ? "id" : "address"}: it is incomplete, or the record was deleted.`,
    );
  }

  /**
   * Waits until a browser ends, at most for a time.
   * @throws {Failure} As `find`, and `BrowserUnavailable` if too many requests wait for it. @throws {unknown}
   * `signal.reason`.
   */
  async wait(account: Account, selector: BrowserSelector, maxMs: number, signal: AbortSignal): Promise<BrowserRecord> {
    return (await this.#needs.fleet.wait(account, selector, maxMs, signal)) ?? this.find(account, selector);
  }

  /**
   * Lists browsers page by page. All pages together have each browser once that existed when the first page was read:
   * first those that were open then, the last opened first, and then those that had ended, the last ended first.
   * @param cursor `next` of the page before; undefined: the first page.
   * @throws {Failure} `BadRequest` for a text that isn't a cursor, and `BrowserUnavailable` if too many histories are
   * being read.
   */
  async list(account: Account, filter: BrowserFilter, limit: number, cursor: string | undefined): Promise<HistoryPage> {
    const { fleet, store, clock } = this.#needs;
    using _permit = await this.#permits.acquire(undefined, account.id);
    const now = clock.now();
    const recent = await fleet.listRecent(account);
    const { after, ...view } = cursor === undefined ? toView(now, recent) : readCursor(cursor);
    // One more than the page has shows whether another page follows.
    const wanted = limit + 1;
    const open = after?.part === "ended" ? [] : await this.#openIn(view, account, recent);
    const browsers: BrowserRecord[] = open
      .filter(
        (browser) => isWanted(browser, filter) && (after === undefined || byOpening(browser, toOpening(after)) > 0),
      )
      .slice(0, wanted);
    if (browsers.length < wanted) {
      const start = after?.part === "ended" ? { closedAt: after.at, id: after.id } : undefined;
      const rest = { ...filter, endedBefore: view.endedBefore };
      browsers.push(...(await store.ended(account.id, start, wanted - browsers.length, rest)));
    }
    const page = browsers.slice(0, limit);
    const last = browsers.length > limit ? page.at(-1) : undefined;
    return {
      browsers: page,
      next: last && toCursorText(view, toCursor(last, view)),
      keptSince: this.keptSince,
    };
  }

  /** The browsers that a view shows as open, the last opened first. */
  async #openIn(
    { readAt, endedBefore }: HistoryView,
    account: Account,
    recent: readonly RecentBrowser[],
  ): Promise<BrowserRecord[]> {
    // Read after the recent ones: otherwise, a browser whose record is written in between would be missed.
    const within = { from: endedBefore, to: END_OF_TIME };
    const ended = await this.#needs.store.endedBetween(account.id, within, undefined, MAX_ENDED_MEANWHILE);
    const byId = new Map<string, BrowserRecord>([...recent, ...ended].map((browser) => [browser.id, browser]));
    return [...byId.values()].filter(({ openedAt }) => openedAt <= readAt).toSorted(byOpening);
  }
}

/** A view of the present. Browsers whose end isn't recorded yet are shown as open: the store doesn't have them. */
function toView(now: Date, recent: readonly RecentBrowser[]): HistoryView & { readonly after: undefined } {
  const ends = recent.flatMap(({ end }) => end?.at.getTime() ?? []);
  return { readAt: now, endedBefore: new Date(Math.min(now.getTime(), ...ends)), after: undefined };
}

/** When a browser ended; an invalid date, which is neither before nor after others, while it is open. */
export function endOf(browser: BrowserRecord): Date {
  if ("closedAt" in browser) return browser.closedAt;
  return browser.end?.at ?? new Date(NaN);
}

/** The last opened first. */
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

function toOpening({ at, id }: HistoryCursor): Pick<BrowserRecord, "openedAt" | "id"> {
  return { openedAt: at, id };
}

function toCursor(browser: BrowserRecord, { endedBefore }: HistoryView): HistoryCursor {
  const closedAt = endOf(browser);
  return closedAt < endedBefore
    ? { part: "ended", at: closedAt, id: browser.id }
    : { part: "open", at: browser.openedAt, id: browser.id };
}
