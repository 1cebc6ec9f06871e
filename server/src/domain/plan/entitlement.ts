import { Failure } from "../failure.ts";
import type { Plan } from "./plan.ts";

/** An account's limits. */
export type Terms = {
  /** Maximum number of browsers that are open or being opened. */
  readonly parallel: number;
  /** The number of units that may be used this month. Undefined: no limit. */
  readonly units: number | undefined;
};

/** An account's usage at the time of an Open request. */
export type Standing = {
  readonly isBarred: boolean;
  /** Number of browsers that are open or being opened. */
  readonly browsers: number;
  /** This month's charged units, plus `RESERVED_UNITS` for each browser that is being opened. */
  readonly units: number;
};

/**
 * @param capacity The machine's capacity, which limits plans without a parallel limit.
 * @throws {Failure} `NoSubscription`
 */
export function toTerms(subscription: Plan | undefined, hasAdditionalUnits: boolean, capacity: number): Terms {
  if (subscription === undefined) {
    throw new Failure(
      "NoSubscription",
      "The account has no active subscription: choose a plan in the web settings, or ask the operator for one.",
    );
  }
  const { parallel = capacity, unitsPerMonth } = subscription;
  return { parallel, units: hasAdditionalUnits ? undefined : unitsPerMonth };
}

/** Whether the account can open another browser. Call this in the transaction that reserves the browser. */
export function isAdmitted(terms: Terms, standing: Standing): boolean {
  return !standing.isBarred && !isUsedUp(terms, standing) && standing.browsers < terms.parallel;
}

/** Returns the failure for refusing another browser: `AuthorizationError`, `NoUnits` or `BrowserLimit`. */
export function toAdmissionFailure(terms: Terms, standing: Standing): Failure {
  // The token was valid when the call began, but the call may have started some time ago.
  if (standing.isBarred) {
    return new Failure("AuthorizationError", "The account was disabled or deleted before its browser opened.");
  }
  if (isUsedUp(terms, standing)) {
    return new Failure(
      "NoUnits",
      `All ${terms.units} units of this month are used: turn on additional units in the web settings, or wait for the next month (UTC).`,
    );
  }
  return new Failure(
    "BrowserLimit",
    `${standing.browsers} of ${terms.parallel} browsers are open, which is this account's limit: close one, or wait until one closes, for example with WaitForPlace. The contract gives BrowserLimit the status 404.`,
  );
}

function isUsedUp(terms: Terms, standing: Standing): boolean {
  return terms.units !== undefined && standing.units >= terms.units;
}
