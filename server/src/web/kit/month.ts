import { readPeriod } from "../../domain/account/period.ts";
import { PageRefusal } from "./page-refusal.ts";
import type { MemberContext } from "./page-context.ts";

/**
 * The month that an address names; this one when it names none.
 * @param current The month that it is.
 * @throws {PageRefusal} 400.
 */
export function readMonth({ c }: MemberContext, current: string): string {
  const text = c.req.query("month");
  if (text === undefined) return current;
  const period = readPeriod(text);
  if (period === undefined) {
    const message = `The address has to name its month as a year and a number, like month=${current}.`;
    throw new PageRefusal(400, "That is no month", message);
  }
  if (period > current) throw new PageRefusal(400, "Not yet", `${period} has not begun: nothing is known about it.`);
  return period;
}
