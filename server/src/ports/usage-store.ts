import type { BrowserKind } from "../domain/browser/browser-kind.ts";
import type { EndReason } from "../domain/browser/end.ts";
import type { Life } from "../domain/account/parallel.ts";

/** An account's consumption in a month. */
export type Usage = { readonly period: string; readonly units: number; readonly openBrowsers: number };

/** @param day In UTC: `2026-11-21`. */
export type DayUnits = { readonly day: string; readonly units: number };

/** A browser that is open no more. */
export type EndedBrowser = {
  readonly id: string;
  readonly kind: BrowserKind;
  readonly label: string | undefined;
  readonly openedAt: Date;
  readonly closedAt: Date;
  readonly reason: EndReason;
  readonly units: number;
};

/** Where a list of ended browsers goes on: behind this one. */
export type EndedCursor = Pick<EndedBrowser, "closedAt" | "id">;

/** What accounts consumed: the sums of the ledger. */
export interface UsageStore {
  /** @param period A month in UTC: `2026-11`. */
  month(accountId: string, period: string): Promise<Usage>;
  /** Days with units only, the first day first. @param period A month in UTC: `2026-11`. */
  days(accountId: string, period: string): Promise<DayUnits[]>;
  /** The last ended first. @param behind Undefined: from the beginning. */
  ended(accountId: string, behind: EndedCursor | undefined, limit: number): Promise<EndedBrowser[]>;
  /** Those that ended from one moment on until before another, the first ended first. @param behind As for `ended`. */
  endedBetween(
    accountId: string,
    within: { readonly from: Date; readonly to: Date },
    behind: EndedCursor | undefined,
    limit: number,
  ): Promise<EndedBrowser[]>;
  /** When browsers were open that were so at any time from one moment on until before another; in no order. */
  spans(accountId: string, from: Date, to: Date): Promise<Life[]>;
}
