import { periodStart } from "../../domain/account/period.ts";

// Made once: making one takes longer than a page.
const NUMBER = new Intl.NumberFormat("en");
const MONTH = new Intl.DateTimeFormat("en", { month: "long", year: "numeric", timeZone: "UTC" });
const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", timeZone: "UTC" });

/** `1,234`. */
export function toNumber(value: number): string {
  return NUMBER.format(value);
}

/** `1 unit`, `1,234 units`. */
export function toCount(value: number, noun: string): string {
  return `${toNumber(value)} ${noun}${value === 1 ? "" : "s"}`;
}

/** `November 2026`. */
export function toMonthName(period: string): string {
  return MONTH.format(periodStart(period));
}

/** `21 November`. @param day `2026-11-21`. */
export function toDayName(day: string): string {
  return DAY.format(new Date(day));
}
