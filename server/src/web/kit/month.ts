import { readPeriod } from "../../domain/account/period.ts";
import { PageError } from "./errors.ts";
import type { MemberContext } from "./page-context.ts";

/**
 * The month in the page's address. Default: the current month.
 * @param current The current month, like `2026-11`.
 * @throws {PageError} 400.
 */
export function readMonth({ c }: MemberContext, current: string): string {
  const text = c.req.query("month");
  if (text === undefined) return current;
  const period = readPeriod(text);
  if (period === undefined) {
    const message = `Write the month in the address as year and number, like month=${current}.`;
    throw new PageError(400, "Not a month", message);
  }
  if (period > current) throw new PageError(400, "Not yet", `${period} is in the future.`);
  return period;
}
