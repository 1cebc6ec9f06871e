import { html } from "hono/html";
import type { Html } from "./layout.ts";

const STEPS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

const WORDS = new Intl.RelativeTimeFormat("en");

/** A moment, to the minute and in UTC; where scripts run, in the reader's own time. */
export function renderMoment(at: Date): Html {
  const iso = at.toISOString();
  return html`<time datetime="${iso}" data-local>${iso.slice(0, 16).replace("T", " ")} UTC</time>`;
}

/** How long ago a moment was, in its largest whole unit. */
export function toAgo(at: Date, now: Date): string {
  const ms = now.getTime() - at.getTime();
  const [unit, unitMs] = STEPS.find(([, each]) => ms >= each) ?? [];
  return unit === undefined ? "just now" : WORDS.format(-Math.floor(ms / unitMs), unit);
}
