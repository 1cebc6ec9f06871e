import { RULES } from "../registry/registry.ts";
import type { ExchangeRule, Rule, ScenarioRule } from "../rules/rule.ts";
import type { SpecialAccount } from "../contract/vocabulary.ts";
import { Semaphore } from "../session/semaphore.ts";
import type { RunOptions } from "../session/run-options.ts";

/** Accounts that only one scenario at a time may use. */
const EXCLUSIVE: readonly SpecialAccount[] = ["limited", "few-units", "rate-limited"];

/** Rules that wait this long do little else. */
const MOSTLY_WAITING_S = 20;

/** The rules to run, their order, and their concurrency. */
type Schedule = {
  readonly scenarios: readonly ScenarioRule[];
  /** Rules to check after all scenarios have run. */
  readonly exchangeRules: readonly ExchangeRule[];
  /** Waits until a scenario may start. Dispose the result when the scenario has ended. */
  readonly acquire: (rule: ScenarioRule) => Promise<AsyncDisposable>;
};

export function scheduleOf({ rules, parallel, waiting = 0 }: RunOptions): Schedule {
  const wanted = new Set<string>(rules);
  const chosen = RULES.filter(({ id }) => wanted.has(id));
  const slots = new Semaphore(parallel);
  const waitingSlots = waiting > 0 ? new Semaphore(waiting) : slots;
  const turnOn = new Map(EXCLUSIVE.map((account) => [account, new Semaphore(1)]));
  return {
    scenarios: chosen.filter(isScenario).toSorted((one, other) => urgencyOf(other) - urgencyOf(one)),
    exchangeRules: chosen.filter(isExchangeRule),
    async acquire({ needs = [], opens, atOnce = opens, waitsS = 0 }) {
      await using held = new AsyncDisposableStack();
      // Acquire accounts first, so that waiting for an account doesn't block browsers that other scenarios need.
      for (const account of needs) {
        const place = await turnOn.get(account)?.acquire(1);
        if (place !== undefined) held.use(place);
      }
      held.use(await (waitsS >= MOSTLY_WAITING_S ? waitingSlots : slots).acquire(atOnce));
      return held.move();
    },
  };
}

/**
 * Ranks scenarios. Scenarios with the longest waits start first, so that other scenarios run during the waits. Desktop
 * rules come next, because many of them share one browser.
 */
function urgencyOf({ waitsS = 0, capability }: ScenarioRule): number {
  return waitsS + (capability === "desktop" ? 0.5 : 0);
}

function isScenario(rule: Rule): rule is ScenarioRule {
  return rule.kind === "scenario";
}

function isExchangeRule(rule: Rule): rule is ExchangeRule {
  return rule.kind === "exchange";
}
