import { MINUTE_MS } from "../durations.ts";

/** The range of a browser's minutes that start on the same day: `from` (counted from 0) up to but excluding `to`. */
type MinutesOfDay = { readonly day: string; readonly from: number; readonly to: number };

/** Returns the UTC calendar day: `2026-11-21`. */
export function toDay(at: Date): string {
  return at.toISOString().slice(0, 10);
}

/** Groups a browser's first `minutes` minutes by the UTC day on which they start, oldest first. */
export function toDays(openedAt: Date, minutes: number): MinutesOfDay[] {
  const days: MinutesOfDay[] = [];
  for (let from = 0; from < minutes; from = days.at(-1)?.to ?? minutes) {
    const startedAt = minuteStart(openedAt, from);
    const midnight = new Date(startedAt).setUTCHours(24, 0, 0, 0);
    const to = Math.min(minutes, Math.ceil((midnight - openedAt.getTime()) / MINUTE_MS));
    days.push({ day: toDay(startedAt), from, to });
  }
  return days;
}

/** Returns the UTC calendar month: `2026-11`. */
export function toPeriod(at: Date): string {
  return at.toISOString().slice(0, 7);
}

/** Returns the start time of a browser's minute. @param minute Counted from 0. */
export function minuteStart(openedAt: Date, minute: number): Date {
  return new Date(openedAt.getTime() + minute * MINUTE_MS);
}

/** Returns the number of minutes charged for an ended browser: every started minute. */
export function usedMinutes(openedAt: Date, endedAt: Date): number {
  return Math.max(1, Math.ceil((endedAt.getTime() - openedAt.getTime()) / MINUTE_MS));
}
