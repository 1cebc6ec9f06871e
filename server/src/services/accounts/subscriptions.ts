import type { Account } from "../../domain/account/account.ts";
import { type Allowance, toAllowance } from "../../domain/account/allowance.ts";
import type { Plan, Plans } from "../../domain/account/plan.ts";
import { toPeriod } from "../../domain/account/units.ts";
import type { AccountStore } from "../../ports/account-store.ts";
import type { Clock } from "../../ports/clock.ts";
import type { UsageStore } from "../../ports/usage-store.ts";
import { AccountError } from "./account-error.ts";
import type { AccountEvents } from "../browsers/account-events.ts";

type Needs = {
  readonly store: Pick<AccountStore, "change">;
  readonly usage: Pick<UsageStore, "month">;
  readonly plans: Plans;
  readonly clock: Clock;
  readonly events: Pick<AccountEvents, "emit">;
};

/** What an account may use, what it has used, and what it may choose. */
export type Subscription = Allowance & {
  /** Plans that anybody may take. */
  readonly offered: readonly Plan[];
  /** Whether the operator has decided about it, so that nobody else does. */
  readonly isOperators: boolean;
  /** This month in UTC: `2026-11`. */
  readonly period: string;
};

/** Plans and additional units, as people choose them for themselves. */
export class Subscriptions {
  readonly #needs: Needs;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  async read(account: Account): Promise<Subscription> {
    const { usage, plans, clock } = this.#needs;
    const { period, units } = await usage.month(account.id, toPeriod(clock.now()));
    return {
      ...toAllowance(account, plans, units),
      offered: [...plans.values()].filter(({ isSelfService }) => isSelfService),
      isOperators: isOperators(account, plans),
      period,
    };
  }

  /** @param name Of the plan; undefined: none. @throws {AccountError} When it, or leaving the present one, is not theirs to choose. */
  async choose(account: Account, name: string | undefined): Promise<void> {
    const { store, plans, events } = this.#needs;
    if (isOperators(account, plans)) {
      throw new AccountError("The operator has set this account's plan and limits: ask the operator for another plan.");
    }
    if (name !== undefined && plans.get(name)?.isSelfService !== true) {
      throw new AccountError(`There is no plan ${JSON.stringify(name)} to choose: take one of those on the page.`);
    }
    await store.change(account.id, { plan: name ?? null });
    events.emit(account.id);
  }

  /** Whether Open goes on past the plan's units. */
  async setAdditionalUnits(account: Account, isOn: boolean): Promise<void> {
    const { store, events } = this.#needs;
    await store.change(account.id, { hasAdditionalUnits: isOn });
    events.emit(account.id);
  }
}

/**
 * A plan that is not for everybody, and limits of the account's own, are an agreement with the operator, who may have meant
 * them to be less than others get: by leaving them and coming back somebody would get rid of the limits, or lose for good
 * what they can't take again.
 */
function isOperators({ plan, parallel, units }: Account, plans: Plans): boolean {
  if (parallel !== undefined || units !== undefined) return true;
  const assigned = plan === undefined ? undefined : plans.get(plan);
  return assigned !== undefined && !assigned.isSelfService;
}
