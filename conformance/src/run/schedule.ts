import { RULES } from "../registry/registry.ts";
import type { ExchangeRule, Rule, ScenarioRule } from "../registry/rule.ts";
import type { SpecialAccount } from "../registry/vocabulary.ts";
import { Semaphore } from "./semaphore.ts";
import type { RunOptions } from "./run-options.ts";

/** Accounts with a state that two scenarios at the same time would spoil for each other. */
const EXCLUSIVE: readonly SpecialAccount[] = ["limited", "few-units", "rate-limited"];

/** What is played, in which order, and what may go on at the same time. */
export type Schedule = {
  readonly scenarios: readonly ScenarioRule[];
  /** Judged when all scenarios have ended. */
  readonly exchangeRules: readonly ExchangeRule[];
  /** Waits until a scenario may begin; disposing lets others do so. */
  readonly acquire: (rule: ScenarioRule) => Promise<AsyncDisposable>;
};

export function scheduleOf({ rules, parallel }: RunOptions): Schedule {
  const wanted = new Set<string>(rules);
  const chosen = RULES.filter(({ id }) => wanted.has(id));
  const slots = new Semaphore(parallel);
  const turnOn = new Map(EXCLUSIVE.map((account) => [account, new Semaphore(1)]));
  return {
    scenarios: chosen.filter(isScenario).toSorted((one, other) => urgencyOf(other) - urgencyOf(one)),
    exchangeRules: chosen.filter(isExchangeRule),
    async acquire({ needs = [], opens, atOnce = opens }) {
      await using held = new AsyncDisposableStack();
      // Accounts first: who waits for one must not keep others from opening browsers.
      for (const account of needs) {
        const place = await turnOn.get(account)?.acquire(1);
        if (place !== undefined) held.use(place);
      }
      held.use(await slots.acquire(atOnce));
      return held.move();
    },
  };
}

/** What waits longest begins first, and waits while others work; then those of desktops, many of which take turns on one. */
function urgencyOf({ waitsS = 0, capability }: ScenarioRule): number {
  return waitsS + (capability === "desktop" ? 0.5 : 0);
}

function isScenario(rule: Rule): rule is ScenarioRule {
  return rule.kind === "scenario";
}

function isExchangeRule(rule: Rule): rule is ExchangeRule {
  return rule.kind === "exchange";
}
