import { type Account, toSubscription } from "./account.ts";
import type { Plan, Plans } from "../plan/plan.ts";

/** An account's limits and its usage this month. */
export type Allowance = {
  /** The plan with the account's overrides; undefined: the account can't open browsers. */
  readonly plan: Plan | undefined;
  readonly unitsUsed: number;
  /** Undefined if the account has no plan, or its plan has no limit. */
  readonly unitsLeft: number | undefined;
  /** Units used beyond the plan's limit. Open browsers can exceed the limit even if additional units are off. */
  readonly additionalUnits: number;
  readonly hasAdditionalUnits: boolean;
};

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
