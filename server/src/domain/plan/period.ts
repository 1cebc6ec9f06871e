import { DAY_MS } from "../durations.ts";
import { toPeriod } from "./units.ts";

/** Reads a calendar month, such as `2026-11`. @returns Undefined for other text. */
export function readPeriod(text: string): string | undefined {
  return /^\d{4}-(0[1-9]|1[0-2])$/.test(text) ? text : undefined;
}

/** Returns the start of a month, in UTC. */
export function periodStart(period: string): Date {
  return new Date(`${period}-01T00:00:00.000Z`);
}

/** @param months The number of months to add. Negative numbers return an earlier month. */
export function laterPeriod(period: string, months: number): string {
  const start = periodStart(period);
  start.setUTCMonth(start.getUTCMonth() + months);
  return toPeriod(start);
}

/** Returns all days of a month, such as `2026-11-01`. */
export function daysOfPeriod(period: string): string[] {
  const days = (periodStart(laterPeriod(period, 1)).getTime() - periodStart(period).getTime()) / DAY_MS;
  return Array.from({ length: days }, (_, index) => `${period}-${String(index + 1).padStart(2, "0")}`);
}
