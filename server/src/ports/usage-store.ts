import type { BrowserKind } from "../domain/browser/browser-kind.ts";
import type { EndReason } from "../domain/browser/end.ts";
import type { OpenSpan } from "../domain/account/parallel.ts";

/** An account's usage of a month. */
export type Usage = { readonly period: string; readonly units: number; readonly openBrowsers: number };

/** @param day In UTC: `2026-11-21`. */
export type DayUnits = { readonly day: string; readonly units: number };

export type EndedBrowser = {
  readonly id: string;
  readonly kind: BrowserKind;
  readonly label: string | undefined;
  readonly openedAt: Date;
  readonly closedAt: Date;
  readonly reason: EndReason;
  readonly units: number;
};

/** The last browser of a page of ended browsers. */
export type EndedCursor = Pick<EndedBrowser, "closedAt" | "id">;

/** Usage per account: sums of the ledger. */
export interface UsageStore {
  /** @param period A month in UTC: `2026-11`. */
  month(accountId: string, period: string): Promise<Usage>;
  /** Only days with units, oldest first. @param period A month in UTC: `2026-11`. */
  days(accountId: string, period: string): Promise<DayUnits[]>;
  /** Most recently ended first. @param after Undefined: the first page. */
  ended(accountId: string, after: EndedCursor | undefined, limit: number): Promise<EndedBrowser[]>;
  /** Browsers that ended at or after `from` and before `to`, oldest end first. @param after As for `ended`. */
  endedBetween(
    accountId: string,
    within: { readonly from: Date; readonly to: Date },
    after: EndedCursor | undefined,
    limit: number,
  ): Promise<EndedBrowser[]>;
  /** The spans of all browsers that were open at any time between `from` and `to`, in no order. */
  spans(accountId: string, from: Date, to: Date): Promise<OpenSpan[]>;
}
