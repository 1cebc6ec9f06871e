import { html } from "hono/html";
import { periodStart } from "../../domain/plan/period.ts";
import type { Html } from "./layout.ts";

export { toAgo, toSpan } from "./static/times.js";

// Creating a formatter takes longer than rendering a page, so each formatter is created only once.
const NUMBER = new Intl.NumberFormat("en");
const MONTH = new Intl.DateTimeFormat("en", { month: "long", year: "numeric", timeZone: "UTC" });
const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", timeZone: "UTC" });

/** `1,234`. */
export function toNumber(value: number): string {
  return NUMBER.format(value);
}

/** Formats a count with its noun: `1 unit`, `1,234 units`. */
export function toCount(value: number, noun: string): string {
  return `${toNumber(value)} ${noun}${value === 1 ? "" : "s"}`;
}

/** `November 2026`. */
export function toMonthName(period: string): string {
  return MONTH.format(periodStart(period));
}

/** Formats a day as `21 November`. @param day A date such as `2026-11-21`. */
export function toDayName(day: string): string {
  return DAY.format(new Date(day));
}

/** Renders a timestamp in UTC, to the minute. The page's script converts it to the user's time zone. */
export function renderMoment(at: Date): Html {
  const iso = at.toISOString();
  return html`<time datetime="${iso}" data-local>${iso.slice(0, 16).replace("T", " ")} UTC</time>`;
}

/** Returns the URL to configure in API clients. @param base The server's base URL. */
export function toApiUrl(base: URL): string {
  return base.href.replace(/\/+$/, "");
}

/** Quotes text as a single POSIX shell word. */
export function toShellWord(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
