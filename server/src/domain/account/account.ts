import type { Plan, Plans } from "../plan/plan.ts";

export type Account = {
  readonly id: string;
  readonly email: string;
  /** The plan's name; undefined: no subscription. */
  readonly plan: string | undefined;
  /** Overrides the plan's parallel limit. */
  readonly parallel: number | undefined;
  /** Overrides the plan's monthly units. */
  readonly units: number | undefined;
  /** Whether Open works after the plan's units are used up. The additional units are recorded. */
  readonly hasAdditionalUnits: boolean;
  readonly isDisabled: boolean;
  /** Whether the user can manage all accounts on the operator page. */
  readonly isOperator: boolean;
  readonly createdAt: Date;
  /** Incremented on every change to the plan, limits or rights. */
  readonly version: number;
};

/** Returns the account's plan with the account's overrides applied. Undefined if there is no subscription. */
export function toSubscription(account: Account, plans: Plans): Plan | undefined {
  const plan = account.plan === undefined ? undefined : plans.get(account.plan);
  if (plan === undefined) return undefined;
  return {
    ...plan,
    parallel: account.parallel ?? plan.parallel,
    unitsPerMonth: account.units ?? plan.unitsPerMonth,
  };
}

/** The maximum number of requests that an account can send in `perS` seconds. */
export type Rate = { readonly requests: number; readonly perS: number };
