const MINUTE_MS = 60_000;

/** The calendar month in UTC: `2026-11`. */
export function toPeriod(at: Date): string {
  return at.toISOString().slice(0, 7);
}

/** When a minute of a browser's lifetime starts. @param minute Counted from 0. */
export function minuteStart(openedAt: Date, minute: number): Date {
  return new Date(openedAt.getTime() + minute * MINUTE_MS);
}

/** The units of a browser that has ended: one for each minute, or part of a minute, that it was open. */
export function usedMinutes(openedAt: Date, endedAt: Date): number {
  return Math.max(1, Math.ceil((endedAt.getTime() - openedAt.getTime()) / MINUTE_MS));
}

/** The units of an open browser: each minute that it has started costs one. The first minute starts when it opens. */
export function startedMinutes(openedAt: Date, now: Date): number {
  return Math.floor(Math.max(0, now.getTime() - openedAt.getTime()) / MINUTE_MS) + 1;
}
