import { toPeriod } from "./units.ts";

const DAY_MS = 86_400_000;

/** @param text What may be a calendar month: `2026-11`. @returns Undefined when it is none. */
export function readPeriod(text: string): string | undefined {
  return /^\d{4}-(0[1-9]|1[0-2])$/.test(text) ? text : undefined;
}

/** The first moment of a month, in UTC. */
export function periodStart(period: string): Date {
  return new Date(`${period}-01T00:00:00.000Z`);
}

/** The month so many months later; with a negative number, earlier. */
export function laterPeriod(period: string, months: number): string {
  const start = periodStart(period);
  start.setUTCMonth(start.getUTCMonth() + months);
  return toPeriod(start);
}

/** All days of a month: `2026-11-01` and on. */
export function daysOfPeriod(period: string): string[] {
  const days = (periodStart(laterPeriod(period, 1)).getTime() - periodStart(period).getTime()) / DAY_MS;
  return Array.from({ length: days }, (_, index) => `${period}-${String(index + 1).padStart(2, "0")}`);
}
