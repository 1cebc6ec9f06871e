import { Failure } from "../failure.ts";
import type { Plan } from "./plan.ts";

/** What counts against a subscription at the moment of an Open. */
export type UsageSnapshot = {
  /** Browsers that are open or being opened. */
  readonly browsers: number;
  /** Units of this month: charged ones, and one for each browser being opened. */
  readonly units: number;
};

/**
 * Whether one more browser may be opened; the caller holds the transaction that makes the answer stay true.
 * @param capacity The machine's, in browsers: the limit of plans that name none of their own.
 * @throws {Failure} `NoSubscription`, `NoUnits` or `BrowserLimit`, checked in this order.
 */
export function checkEntitlement(
  subscription: Plan | undefined,
  hasAdditionalUnits: boolean,
  standing: UsageSnapshot,
  capacity: number,
): void {
  if (subscription === undefined) {
    throw new Failure(
      "NoSubscription",
      "The account has no active subscription: choose a plan in the web settings, or ask the operator for one.",
    );
  }
  const { unitsPerMonth } = subscription;
  if (unitsPerMonth !== undefined && !hasAdditionalUnits && standing.units >= unitsPerMonth) {
    throw new Failure(
      "NoUnits",
      `All ${unitsPerMonth} units of this month are used: switch additional units on in the web settings, or wait for the next month (UTC).`,
    );
  }
  const parallel = subscription.parallel ?? capacity;
  if (standing.browsers >= parallel) {
    throw new Failure(
      "BrowserLimit",
      `${standing.browsers} of ${parallel} browsers that may be open at once are: close one, or let one close by itself.`,
    );
  }
}
