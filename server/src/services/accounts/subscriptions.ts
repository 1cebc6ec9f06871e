import type { Account } from "../../domain/account/account.ts";
import { type Allowance, toAllowance } from "../../domain/account/allowance.ts";
import type { Plan, Plans } from "../../domain/plan/plan.ts";
import { toPeriod } from "../../domain/plan/units.ts";
import type { AccountStore } from "../../ports/store/account-store.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { UsageStore } from "../../ports/store/usage-store.ts";
import type { AccountEvents } from "../store/account-events.ts";
import { AccountError } from "./errors.ts";

type SubscriptionsNeeds = {
  readonly store: Pick<AccountStore, "change">;
  readonly usage: Pick<UsageStore, "month">;
  readonly plans: Plans;
  readonly clock: Clock;
  readonly events: Pick<AccountEvents, "emit">;
  readonly log: Pick<Log, "info">;
};

/** An account's plan and usage, and the plans available to the user. */
export type Subscription = Allowance & {
  readonly offered: readonly Plan[];
  /** Whether the operator has set the plan or limits. If so, the user can't change the plan. */
  readonly isOperatorManaged: boolean;
  /** The current month in UTC: `2026-11`. */
  readonly period: string;
  /** Browsers that are open or being opened. */
  readonly browsers: number;
};

/** Lets users choose plans and additional units for their own accounts. */
export class Subscriptions {
  readonly #needs: SubscriptionsNeeds;

  constructor(needs: SubscriptionsNeeds) {
    this.#needs = needs;
  }

  async read(account: Account): Promise<Subscription> {
    const { usage, plans, clock } = this.#needs;
    const month = await usage.month(account.id, toPeriod(clock.now()));
    const { period, units, openBrowsers, openingBrowsers } = month;
    return {
      ...toAllowance(account, plans, units),
      offered: [...plans.values()].filter(({ isSelfService }) => isSelfService),
      isOperatorManaged: isOperatorManaged(account, plans),
      period,
      browsers: openBrowsers + openingBrowsers,
    };
  }

  /**
   * @param name The plan's name; undefined: no plan.
   * @throws {AccountError} If the plan isn't available to users, or the operator has set the current plan.
   */
  async choose(account: Account, name: string | undefined): Promise<void> {
    const { store, plans, events, log } = this.#needs;
    if (isOperatorManaged(account, plans)) {
      throw new AccountError("Your operator manages this account's plan. Ask your operator to change it.");
    }
    if (name !== undefined && plans.get(name)?.isSelfService !== true) {
      throw new AccountError(
        `You can't choose the plan ${JSON.stringify(name)}. Choose one of the plans on this page.`,
      );
    }
    await store.change(account.id, { plan: name ?? null });
    events.emit(account.id);
    log.info("account.plan_changed", { account: account.id, plan: name ?? "none" });
  }

  /** Sets whether browsers can be opened after the plan's units are used up. */
  async setAdditionalUnits(account: Account, isOn: boolean): Promise<void> {
    const { store, events } = this.#needs;
    await store.change(account.id, { hasAdditionalUnits: isOn });
    events.emit(account.id);
  }
}

/**
 * Whether the operator has set the account's plan or limits. Users must not change such a plan: they could escape lower
 * limits, or lose a plan that they can't choose again.
 */
function isOperatorManaged({ plan, parallel, units }: Account, plans: Plans): boolean {
  if (parallel !== undefined || units !== undefined) return true;
  const assigned = plan === undefined ? undefined : plans.get(plan);
  return assigned !== undefined && !assigned.isSelfService;
}
