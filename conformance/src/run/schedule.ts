import { RULES } from "../registry/registry.ts";
import type { ExchangeRule, Rule, StoryRule } from "../registry/rule.ts";
import type { SpecialAccount } from "../registry/vocabulary.ts";
import { Places } from "./places.ts";
import type { RunOptions } from "./run-options.ts";

/** Accounts with a state that two stories at the same time would spoil for each other. */
const EXCLUSIVE: readonly SpecialAccount[] = ["limited", "few-units", "rate-limited"];

/** What is played, in which order, and what may go on at the same time. */
export type Schedule = {
  readonly stories: readonly StoryRule[];
  /** Judged when all stories have ended. */
  readonly exchangeRules: readonly ExchangeRule[];
  /** Waits until a story may begin; disposing lets others do so. */
  readonly enter: (rule: StoryRule) => Promise<AsyncDisposable>;
};

export function scheduleOf({ rules, parallel }: RunOptions): Schedule {
  const wanted = new Set<string>(rules);
  const chosen = RULES.filter(({ id }) => wanted.has(id));
  const places = new Places(parallel);
  const placeOn = new Map(EXCLUSIVE.map((account) => [account, new Places(1)]));
  return {
    stories: chosen.filter(isStory).toSorted((one, other) => urgencyOf(other) - urgencyOf(one)),
    exchangeRules: chosen.filter(isExchangeRule),
    async enter({ needs = [], opens, atOnce = opens }) {
      await using held = new AsyncDisposableStack();
      // Accounts first: who waits for one must not keep others from opening browsers.
      for (const account of needs) {
        const place = await placeOn.get(account)?.take(1);
        if (place !== undefined) held.use(place);
      }
      held.use(await places.take(atOnce));
      return held.move();
    },
  };
}

/** What waits longest begins first, and waits while others work; then those of desktops, many of which take turns on one. */
function urgencyOf({ waitsS = 0, capability }: StoryRule): number {
  return waitsS + (capability === "desktop" ? 0.5 : 0);
}

function isStory(rule: Rule): rule is StoryRule {
  return rule.kind === "story";
}

function isExchangeRule(rule: Rule): rule is ExchangeRule {
  return rule.kind === "exchange";
}
