import type { Account } from "../../domain/account/account.ts";
import type { BrowserSelector } from "../../domain/browser/selector.ts";
import { Failure } from "../../domain/failure.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Fleet, RecentBrowser } from "../../ports/fleet.ts";
import type { BrowserFilter, EndedBrowser, UsageStore } from "../../ports/usage-store.ts";
import { type HistoryCursor, type HistoryPlace, readCursor, toCursorText } from "./history-cursor.ts";

const DAY_MS = 86_400_000;
/** More browsers than an account opens and closes while a history is read. */
const MAX_ENDED_MEANWHILE = 10_000;

type Needs = {
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
  readonly #needs: Needs;

  constructor(needs: Needs) {
    this.#needs = needs;
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
   * @throws {Failure} As `find`. @throws {unknown} `signal.reason`.
   */
  async wait(account: Account, selector: BrowserSelector, maxMs: number, signal: AbortSignal): Promise<BrowserRecord> {
    return (await this.#needs.fleet.wait(account, selector, maxMs, signal)) ?? this.find(account, selector);
  }

  /**
   * Lists browsers page by page. All pages together have each browser once that existed when the first page was read: first those
   * that were open then, the last opened first, and then those that had ended, the last ended first.
   * @param cursor `next` of the page before; undefined: the first page.
   * @throws {Failure} `BadRequest` for a text that isn't a cursor.
   */
  async list(account: Account, filter: BrowserFilter, limit: number, cursor: string | undefined): Promise<HistoryPage> {
    const { clock, historyDays } = this.#needs;
    const now = clock.now();
    const start: HistoryCursor = { asOf: now, after: undefined };
    const { asOf, after } = cursor === undefined ? start : readCursor(cursor);
    // One more than the page has shows whether another page follows.
    const wanted = limit + 1;
    const open = after?.part === "ended" ? [] : await this.#openAsOf(account, asOf, filter, after);
    const browsers: BrowserRecord[] = open.slice(0, wanted);
    if (browsers.length < wanted) {
      const place = after?.part === "ended" ? { closedAt: after.at, id: after.id } : undefined;
      const rest = wanted - browsers.length;
      browsers.push(...(await this.#needs.store.ended(account.id, place, rest, { ...filter, endedBy: asOf })));
    }
    const page = browsers.slice(0, limit);
    const last = page.at(-1);
    return {
      browsers: page,
      next:
        browsers.length > limit && last !== undefined ? toCursorText({ asOf, after: toPlace(last, asOf) }) : undefined,
      keptSince: historyDays === undefined ? undefined : new Date(now.getTime() - historyDays * DAY_MS),
    };
  }

  /** The browsers that were open at a moment, the last opened first. */
  async #openAsOf(
    account: Account,
    asOf: Date,
    filter: BrowserFilter,
    after: HistoryPlace | undefined,
  ): Promise<BrowserRecord[]> {
    const { fleet, store } = this.#needs;
    const recent = await fleet.listRecent(account);
    // Read after the recent ones, so that none is missed that is moved to the store meanwhile.
    const within = { from: new Date(asOf.getTime() + 1), to: new Date(8.64e15) };
    const ended = await store.endedBetween(account.id, within, undefined, MAX_ENDED_MEANWHILE);
    const byId = new Map<string, BrowserRecord>([...recent, ...ended].map((browser) => [browser.id, browser]));
    return [...byId.values()]
      .filter((browser) => browser.openedAt <= asOf && !(endOf(browser) <= asOf) && isWanted(browser, filter))
      .toSorted(byOpening)
      .filter((browser) => after === undefined || byOpening(browser, { openedAt: after.at, id: after.id }) > 0);
  }
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

function toPlace(browser: BrowserRecord, asOf: Date): HistoryPlace {
  const closedAt = endOf(browser);
  return closedAt <= asOf
    ? { part: "ended", at: closedAt, id: browser.id }
    : { part: "open", at: browser.openedAt, id: browser.id };
}
