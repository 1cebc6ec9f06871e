import type { Account } from "../../domain/account/account.ts";
import { type Allowance, toAllowance } from "../../domain/account/allowance.ts";
import { peaksOf } from "../../domain/plan/parallel.ts";
import { daysOfPeriod, laterPeriod, periodStart } from "../../domain/plan/period.ts";
import type { Plans } from "../../domain/plan/plan.ts";
import { toPeriod } from "../../domain/plan/units.ts";
import { HOUR_MS } from "../../domain/durations.ts";
import type { Clock } from "../../ports/clock.ts";
import type { BrowserFilter, DayUnits, EndedBrowser, EndedCursor, UsageStore } from "../../ports/store/usage-store.ts";
import type { Capacity } from "../capacity/capacity.ts";

const HOURS_A_DAY = 24;

/** Ended browsers per query. Larger batches would block other requests for longer. */
const BATCH = 1000;

type UsageReportsNeeds = {
  readonly store: UsageStore;
  readonly plans: Plans;
  readonly capacity: Pick<Capacity, "limit">;
  readonly clock: Clock;
};

/** An account's usage in one month, and its limits. */
export type UsageReport = {
  readonly period: string;
  readonly isCurrent: boolean;
  readonly units: number;
  readonly openBrowsers: number;
  /** All days of the month, including days without units. */
  readonly days: readonly DayUnits[];
  /** The peak number of open browsers in each hour so far. */
  readonly peaks: readonly number[];
  /** The maximum number of open browsers on each day. */
  readonly dailyPeaks: readonly { readonly day: string; readonly peak: number }[];
  /** Computed from the current plan, and therefore not applicable to earlier months. */
  readonly allowance: Allowance;
  readonly parallel: number;
};

export class UsageReports {
  readonly #needs: UsageReportsNeeds;

  constructor(needs: UsageReportsNeeds) {
    this.#needs = needs;
  }

  /** The current month in UTC. */
  get period(): string {
    return toPeriod(this.#needs.clock.now());
  }

  /** Returns the units of every day of a month, including days without units. */
  async days(account: Account, period: string): Promise<DayUnits[]> {
    const known = await this.#needs.store.days(account.id, period);
    const units = new Map(known.map((one) => [one.day, one.units]));
    return daysOfPeriod(period).map((day) => ({ day, units: units.get(day) ?? 0 }));
  }

  async month(account: Account, period: string): Promise<UsageReport> {
    const { store, plans, capacity, clock } = this.#needs;
    const now = clock.now();
    const { from, to } = toRange(period);
    const end = now < to ? now : to;
    const [{ units, openBrowsers }, days, spans] = await Promise.all([
      store.month(account.id, period),
      this.days(account, period),
      store.spans(account.id, from, end),
    ]);
    const peaks = peaksOf(spans, from, end, HOUR_MS);
    const allowance = toAllowance(account, plans, units);
    return {
      period,
      isCurrent: period === toPeriod(now),
      units,
      openBrowsers,
      days,
      peaks,
      dailyPeaks: days.flatMap(({ day }, index) => {
        const own = peaks.slice(index * HOURS_A_DAY, (index + 1) * HOURS_A_DAY);
        return own.length === 0 ? [] : [{ day, peak: Math.max(...own) }];
      }),
      allowance,
      parallel: allowance.plan?.parallel ?? capacity.limit,
    };
  }

  /**
   * Returns a page of ended browsers, most recently ended first.
   * @param after The last browser of the previous page; undefined: the first page.
   */
  async ended(
    account: Account,
    after: EndedCursor | undefined,
    limit: number,
    filter: BrowserFilter = {},
  ): Promise<{ readonly browsers: readonly EndedBrowser[]; readonly hasMore: boolean }> {
    const found = await this.#needs.store.ended(account.id, after, limit + 1, filter);
    return { browsers: found.slice(0, limit), hasMore: found.length > limit };
  }

  /** Yields all browsers that ended in a month, in batches, in the order they ended. */
  async *endedIn(account: Account, period: string): AsyncGenerator<readonly EndedBrowser[], void> {
    let after: EndedCursor | undefined;
    for (;;) {
      const batch = await this.#needs.store.endedBetween(account.id, toRange(period), after, BATCH);
      yield batch;
      after = batch.at(-1);
      if (batch.length < BATCH) return;
    }
  }
}

function toRange(period: string): { readonly from: Date; readonly to: Date } {
  return { from: periodStart(period), to: periodStart(laterPeriod(period, 1)) };
}
