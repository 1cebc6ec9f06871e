import type { Plan, Plans } from "./plan.ts";

export type Account = {
  readonly id: string;
  readonly email: string;
  /** Name of the plan; undefined: no subscription. */
  readonly plan: string | undefined;
  /** Takes the place of the plan's parallel limit. */
  readonly parallel: number | undefined;
  /** Takes the place of the plan's monthly units. */
  readonly units: number | undefined;
  /** Whether Open goes on past the plan's units; the excess is recorded. */
  readonly hasAdditionalUnits: boolean;
  readonly isDisabled: boolean;
  /** May see and steer all accounts on the operator's page. */
  readonly isOperator: boolean;
  readonly createdAt: Date;
};

/** What the account may use: its plan with its own overrides; undefined without a subscription. */
export function toSubscription(account: Account, plans: Plans): Plan | undefined {
  const plan = account.plan === undefined ? undefined : plans.get(account.plan);
  if (plan === undefined) return undefined;
  return {
    ...plan,
    parallel: account.parallel ?? plan.parallel,
    unitsPerMonth: account.units ?? plan.unitsPerMonth,
  };
}
