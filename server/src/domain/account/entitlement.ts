import { Failure } from "../failure.ts";
import type { Plan } from "./plan.ts";

/** The usage that counts against a subscription when an Open request arrives. */
export type UsageSnapshot = {
  /** Browsers that are open or being opened. */
  readonly browsers: number;
  /** Units of this month: those charged, and one for each browser that is being opened. */
  readonly units: number;
};

/**
 * Checks that the account can open another browser. Call it in the transaction that reserves the browser.
 * @param capacity Browsers the machine can run: the limit of plans without a parallel limit.
 * @throws {Failure} `NoSubscription`, `NoUnits` or `BrowserLimit`, checked in this order.
 */
export function checkEntitlement(
  subscription: Plan | undefined,
  hasAdditionalUnits: boolean,
  used: UsageSnapshot,
  capacity: number,
): void {
  if (subscription === undefined) {
    throw new Failure(
      "NoSubscription",
      "The account has no active subscription: choose a plan in the web settings, or ask the operator for one.",
    );
  }
  const { unitsPerMonth } = subscription;
  if (unitsPerMonth !== undefined && !hasAdditionalUnits && used.units >= unitsPerMonth) {
    throw new Failure(
      "NoUnits",
      `All ${unitsPerMonth} units of this month are used: turn on additional units in the web settings, or wait for the next month (UTC).`,
    );
  }
  const parallel = subscription.parallel ?? capacity;
  if (used.browsers >= parallel) {
    throw new Failure(
      "BrowserLimit",
      `${used.browsers} of ${parallel} browsers are open, which is this account's limit: close one, or wait until one closes.`,
    );
  }
}
