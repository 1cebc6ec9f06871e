import type { BrowserKind } from "../../domain/browser/browser-kind.ts";
import type { EndReason } from "../../domain/browser/end.ts";
import type { BrowserSelector } from "../../domain/browser/selector.ts";
import type { Traffic } from "../egress.ts";
import type { OpenSpans } from "../../domain/plan/parallel.ts";

/** An account's usage of a month. */
type Usage = {
  readonly period: string;
  readonly units: number;
  readonly openBrowsers: number;
  /** Browsers that are being opened. */
  readonly openingBrowsers: number;
};

/** What an account has at a moment. */
type AccountLoad = {
  /** Counts the changes of its plan, limits and rights. */
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
  /** Its inactivity period; undefined: none, or not known. */
  readonly keepOpenMs: number | undefined;
  /** Undefined: not known. */
  readonly traffic: Traffic | undefined;
};

/** Which browsers to list. */
export type BrowserFilter = {
  /** Only those that ended at this moment or later. */
  readonly since?: Date | undefined;
  /** Only those that were opened before this moment. */
  readonly until?: Date | undefined;
  readonly label?: string | undefined;
  readonly tag?: string | undefined;
};

/** The last browser of a page of ended browsers. */
export type EndedCursor = Pick<EndedBrowser, "closedAt" | "id">;

/** Usage per account: sums of the ledger. */
export interface UsageStore {
  /** @param period A month in UTC: `2026-11`. */
  month(accountId: string, period: string): Promise<Usage>;
  /** Accounts that don't exist any more are left out. */
  loads(accountIds: readonly string[]): Promise<ReadonlyMap<string, AccountLoad>>;
  /** Only days with units, oldest first. @param period A month in UTC: `2026-11`. */
  days(accountId: string, period: string): Promise<DayUnits[]>;
  /**
   * Most recently ended first.
   * @param after Undefined: the first page.
   * @param filter.endedBefore Only those that ended before this moment.
   */
  ended(
    accountId: string,
    after: EndedCursor | undefined,
    limit: number,
    filter?: BrowserFilter & { readonly endedBefore?: Date },
  ): Promise<EndedBrowser[]>;
  /** The account's ended browser with this id, or that had this address. */
  findEnded(accountId: string, selector: BrowserSelector): Promise<EndedBrowser | undefined>;
  /** Browsers that ended at or after `from` and before `to`, oldest end first. @param after As for `ended`. */
  endedBetween(
    accountId: string,
    within: { readonly from: Date; readonly to: Date },
    after: EndedCursor | undefined,
    limit: number,
  ): Promise<EndedBrowser[]>;
  /** The spans of all browsers that were open at any time between `from` and `to`. */
  spans(accountId: string, from: Date, to: Date): Promise<OpenSpans>;
}
