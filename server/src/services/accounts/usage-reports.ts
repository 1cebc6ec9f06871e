import type { Account } from "../../domain/account/account.ts";
import { type Allowance, toAllowance } from "../../domain/account/allowance.ts";
import { peaksOf } from "../../domain/account/parallel.ts";
import { daysOfPeriod, laterPeriod, periodStart } from "../../domain/account/period.ts";
import type { Plans } from "../../domain/account/plan.ts";
import { toPeriod } from "../../domain/account/units.ts";
import type { Clock } from "../../ports/clock.ts";
import type { DayUnits, EndedBrowser, EndedCursor, UsageStore } from "../../ports/usage-store.ts";
import type { Capacity } from "../browsers/capacity.ts";

export type { DayUnits, EndedBrowser, EndedCursor } from "../../ports/usage-store.ts";

/** The peaks of parallel browsers are told for stretches of this length. */
const STEP_MS = 3_600_000;
const STEPS_A_DAY = 24;

/** Ended browsers that are read at a time, when all of a month are: nobody else waits for longer than that. */
const BATCH = 1000;

type Needs = {
  readonly store: UsageStore;
  readonly plans: Plans;
  readonly capacity: Pick<Capacity, "limit">;
  readonly clock: Clock;
};

/** What an account consumed in a month, beside what it may. */
export type UsageReport = {
  readonly period: string;
  readonly isCurrent: boolean;
  readonly units: number;
  readonly openBrowsers: number;
  /** All days of the month, those without units too. */
  readonly days: readonly DayUnits[];
  /** The most browsers open at once, an entry an hour: of this month until now. */
  readonly peaks: readonly number[];
  /** The same by day. */
  readonly dailyPeaks: readonly { readonly day: string; readonly peak: number }[];
  /** By what the account may use today: of an earlier month it tells nothing. */
  readonly allowance: Allowance;
  /** Browsers that it may have open at once today. */
  readonly parallel: number;
};

/** Tells accounts what they have consumed. */
export class UsageReports {
  readonly #needs: Needs;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  /** The month that it is, in UTC. */
  get period(): string {
    return toPeriod(this.#needs.clock.now());
  }

  /** The units of each day of a month, those of days without any too. */
  async days(account: Account, period: string): Promise<DayUnits[]> {
    const known = await this.#needs.store.days(account.id, period);
    const units = new Map(known.map((one) => [one.day, one.units]));
    return daysOfPeriod(period).map((day) => ({ day, units: units.get(day) ?? 0 }));
  }

  async month(account: Account, period: string): Promise<UsageReport> {
    const { store, plans, capacity, clock } = this.#needs;
    const now = clock.now();
    const { from, to } = toStretch(period);
    const past = now < to ? now : to;
    const [{ units, openBrowsers }, days, lives] = await Promise.all([
      store.month(account.id, period),
      this.days(account, period),
      store.spans(account.id, from, past),
    ]);
    const peaks = peaksOf(lives, from, past, STEP_MS);
    const allowance = toAllowance(account, plans, units);
    return {
      period,
      isCurrent: period === toPeriod(now),
      units,
      openBrowsers,
      days,
      peaks,
      dailyPeaks: days.flatMap(({ day }, index) => {
        const own = peaks.slice(index * STEPS_A_DAY, (index + 1) * STEPS_A_DAY);
        return own.length === 0 ? [] : [{ day, peak: Math.max(...own) }];
      }),
      allowance,
      parallel: allowance.plan?.parallel ?? capacity.limit,
    };
  }

  /**
   * Ended browsers, the last ended first.
   * @param behind Where the list goes on.
   * @returns At most so many, and whether there are more behind them.
   */
  async ended(
    account: Account,
    behind: EndedCursor | undefined,
    atMost: number,
  ): Promise<{ readonly browsers: readonly EndedBrowser[]; readonly hasMore: boolean }> {
    const found = await this.#needs.store.ended(account.id, behind, atMost + 1);
    return { browsers: found.slice(0, atMost), hasMore: found.length > atMost };
  }

  /** All browsers that ended in a month, the first ended first, some at a time. */
  async *endedIn(account: Account, period: string): AsyncGenerator<readonly EndedBrowser[], void> {
    let behind: EndedCursor | undefined;
    for (;;) {
      const batch = await this.#needs.store.endedBetween(account.id, toStretch(period), behind, BATCH);
      yield batch;
      behind = batch.at(-1);
      if (batch.length < BATCH) return;
    }
  }
}

function toStretch(period: string): { readonly from: Date; readonly to: Date } {
  return { from: periodStart(period), to: periodStart(laterPeriod(period, 1)) };
}
