import type { BrowserKind } from "../../domain/browser/browser-kind.ts";
import type { EndReason } from "../../domain/browser/end.ts";
import type { BrowserSelector } from "../../domain/browser/selector.ts";
import type { Traffic } from "../egress.ts";
import type { OpenSpans } from "../../domain/plan/parallel.ts";

/** An account's usage in one month. */
type Usage = {
  readonly period: string;
  readonly units: number;
  readonly openBrowsers: number;
  readonly openingBrowsers: number;
};

type AccountLoad = {
  /** Incremented on each change to the account's plan, limits or rights. */
  readonly version: number;
  /** Browsers that are open or being opened. */
  readonly browsers: number;
};

/** @param day In UTC: `2026-11-21`. */
export type DayUnits = { readonly day: string; readonly units: number };

export type EndedBrowser = {
  readonly id: string;
  readonly kind: BrowserKind;
  readonly isHeadless: boolean;
  readonly label: string | undefined;
  readonly tags: readonly string[];
  readonly openedAt: Date;
  readonly closedAt: Date;
  readonly reason: EndReason;
  readonly units: number;
  /** The inactivity period; undefined: none or unknown. */
  readonly keepOpenMs: number | undefined;
  /** Undefined: not known. */
  readonly traffic: Traffic | undefined;
};

export type BrowserFilter = {
  /** Only browsers that ended at or after this time. */
  readonly since?: Date | undefined;
  /** Only browsers that were opened before this time. */
  readonly until?: Date | undefined;
  readonly label?: string | undefined;
  readonly tag?: string | undefined;
};

/** The last browser on a page of ended browsers. */
export type EndedCursor = Pick<EndedBrowser, "closedAt" | "id">;

/** Usage per account, summed from the ledger. */
export interface UsageStore {
  /** @param period A month in UTC: `2026-11`. */
  month(accountId: string, period: string): Promise<Usage>;
  /** Omits accounts that no longer exist. */
  loads(accountIds: readonly string[]): Promise<ReadonlyMap<string, AccountLoad>>;
  /** Returns the days on which units were used, oldest first. @param period A month in UTC: `2026-11`. */
  days(accountId: string, period: string): Promise<DayUnits[]>;
  /**
   * Lists ended browsers, most recently ended first.
   * @param after Undefined: the first page.
   * @param filter.endedBefore Only browsers that ended before this time.
   */
  ended(
    accountId: string,
    after: EndedCursor | undefined,
    limit: number,
    filter?: BrowserFilter & { readonly endedBefore?: Date },
  ): Promise<EndedBrowser[]>;
  /** Finds the account's ended browser by its id or former address. */
  findEnded(accountId: string, selector: BrowserSelector): Promise<EndedBrowser | undefined>;
  /**
   * Lists browsers that ended at or after `from` and before `to`, in the order in which they ended.
   * @param after Like `ended`.
   */
  endedBetween(
    accountId: string,
    within: { readonly from: Date; readonly to: Date },
    after: EndedCursor | undefined,
    limit: number,
  ): Promise<EndedBrowser[]>;
  /** Returns the spans of all browsers that were open at any time between `from` and `to`. */
  spans(accountId: string, from: Date, to: Date): Promise<OpenSpans>;
}
