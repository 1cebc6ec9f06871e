import { describe, inject, test, afterAll } from "vitest";
import { RULES } from "../registry/registry.ts";
import type { ExchangeRule, StoryRule } from "../registry/rule.ts";
import type { SpecialAccount } from "../registry/vocabulary.ts";
import type { RuleResult } from "../registry/verdict.ts";
import { checkStory, judgeExchanges } from "./check-rule.ts";
import { Places } from "./places.ts";
import type { RunOptions } from "./run-options.ts";
import { Session } from "./session.ts";

declare module "vitest" {
  interface TaskMeta {
    ruleResult?: RuleResult;
  }
  interface ProvidedContext {
    runOptions: RunOptions;
  }
}

/** Accounts with a state that two stories at the same time would spoil for each other. */
const EXCLUSIVE: ReadonlySet<SpecialAccount> = new Set(["limited", "few-units", "rate-limited"]);

const options = inject("runOptions");
const session = new Session(options);
const places = new Places(options.parallel);
const placesOf = new Map([...EXCLUSIVE].map((account) => [account, new Places(1)]));
const wanted = new Set<string>(options.rules);
const chosen = RULES.filter(({ id }) => wanted.has(id));

afterAll(() => session[Symbol.asyncDispose]());

/** What waits longest begins first, and waits while others work; then those of desktops, many of which take turns on one. */
function urgencyOf({ waitsS = 0, capability }: StoryRule): number {
  return waitsS + (capability === "desktop" ? 0.5 : 0);
}

describe.concurrent("stories", () => {
  const stories = chosen.filter((each): each is StoryRule => each.kind === "story");
  for (const rule of stories.toSorted((one, other) => urgencyOf(other) - urgencyOf(one))) {
    test(rule.id, async ({ task, expect, signal }) => {
      signal.addEventListener("abort", () => session.interrupt());
      await using held = new AsyncDisposableStack();
      // Accounts first: who waits for one must not keep others from opening browsers.
      for (const account of (rule.needs ?? []).filter((each) => EXCLUSIVE.has(each))) {
        const place = await placesOf.get(account)?.take(1);
        if (place !== undefined) held.use(place);
      }
      held.use(await places.take(rule.atOnce ?? rule.opens));
      task.meta.ruleResult = await checkStory(session, rule);
      expect(task.meta.ruleResult.verdict).not.toBe("fail");
    });
  }
});

describe("exchanges", () => {
  for (const rule of chosen.filter((each): each is ExchangeRule => each.kind === "exchange")) {
    test(rule.id, ({ task, expect }) => {
      task.meta.ruleResult = judgeExchanges(session, rule);
      expect(task.meta.ruleResult.verdict).not.toBe("fail");
    });
  }
});
