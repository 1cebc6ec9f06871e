const MINUTE_MS = 60_000;

/** The calendar month in UTC that a moment belongs to: `2026-11`. */
export function toPeriod(at: Date): string {
  return at.toISOString().slice(0, 7);
}

/** When the minute of that number, counted from 0, of a browser's life starts. */
export function minuteStart(openedAt: Date, minute: number): Date {
  return new Date(openedAt.getTime() + minute * MINUTE_MS);
}

/** Minutes a browser has started, and so its units: the first one starts with it. */
export function startedMinutes(openedAt: Date, now: Date): number {
  return Math.floor(Math.max(0, now.getTime() - openedAt.getTime()) / MINUTE_MS) + 1;
}
