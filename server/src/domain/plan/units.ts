import { MINUTE_MS } from "../durations.ts";

/** Minutes of a browser that start on the same day: from `from`, counted from 0, to before `to`. */
type MinutesOfDay = { readonly day: string; readonly from: number; readonly to: number };

/** The calendar day in UTC: `2026-11-21`. */
export function toDay(at: Date): string {
  return at.toISOString().slice(0, 10);
}

/** The first `minutes` minutes of a browser, by the days (UTC) on which they start, oldest first. */
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

/** The calendar month in UTC: `2026-11`. */
export function toPeriod(at: Date): string {
  return at.toISOString().slice(0, 7);
}

/** When a minute of a browser's lifetime starts. @param minute Counted from 0. */
export function minuteStart(openedAt: Date, minute: number): Date {
  return new Date(openedAt.getTime() + minute * MINUTE_MS);
}

/** The minutes that are charged of a browser that has ended: each minute, or part of a minute, that it was open. */
export function usedMinutes(openedAt: Date, endedAt: Date): number {
  return Math.max(1, Math.ceil((endedAt.getTime() - openedAt.getTime()) / MINUTE_MS));
}
