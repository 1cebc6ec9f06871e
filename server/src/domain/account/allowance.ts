import { type Account, toSubscription } from "./account.ts";
import type { Plan, Plans } from "./plan.ts";

/** What an account may use, beside what it has used of it this month. */
export type Allowance = {
  /** With the account's own limits in it; undefined: no browser may be opened. */
  readonly plan: Plan | undefined;
  readonly unitsUsed: number;
  /** Of the plan's; undefined without a limit, and without a plan. */
  readonly unitsLeft: number | undefined;
  /** Those among the used that the plan does not have: without additional units, by browsers that were open at its last one. */
  readonly additionalUnits: number;
  /** Whether Open goes on when none of the plan's are left. */
  readonly hasAdditionalUnits: boolean;
};

/** Whether Open is refused for want of units. */
export function isUsedUp({ unitsLeft, hasAdditionalUnits }: Allowance): boolean {
  return unitsLeft === 0 && !hasAdditionalUnits;
}

export function toAllowance(account: Account, plans: Plans, unitsUsed: number): Allowance {
  const plan = toSubscription(account, plans);
  const limit = plan?.unitsPerMonth;
  return {
    plan,
    unitsUsed,
    unitsLeft: limit === undefined ? undefined : Math.max(0, limit - unitsUsed),
    additionalUnits: limit === undefined ? 0 : Math.max(0, unitsUsed - limit),
    hasAdditionalUnits: account.hasAdditionalUnits,
  };
}
