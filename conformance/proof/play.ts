import { RULES } from "../src/registry/registry.ts";
import type { ExchangeRule, StoryRule } from "../src/registry/rule.ts";
import type { RuleResult } from "../src/registry/verdict.ts";
import type { SpecialAccount } from "../src/registry/vocabulary.ts";
import { checkStory, judgeExchanges } from "../src/run/check-rule.ts";
import { Places } from "../src/run/places.ts";
import type { RunOptions } from "../src/run/run-options.ts";
import { Session } from "../src/run/session.ts";

const EXCLUSIVE: readonly SpecialAccount[] = ["limited", "few-units", "rate-limited"];

/** Plays rules as `suite.ts` does, but without Vitest, which takes longer to start than most faults to be noticed. */
export async function play(options: RunOptions): Promise<RuleResult[]> {
  await using session = new Session(options);
  const places = new Places(options.parallel);
  const placesOf = new Map(EXCLUSIVE.map((account) => [account, new Places(1)]));
  const wanted = new Set<string>(options.rules);
  const chosen = RULES.filter(({ id }) => wanted.has(id));
  const stories = chosen.filter((each): each is StoryRule => each.kind === "story");
  const told = await Promise.all(
    stories.map(async (rule) => {
      await using held = new AsyncDisposableStack();
      for (const account of rule.needs ?? []) {
        const place = await placesOf.get(account)?.take(1);
        if (place !== undefined) held.use(place);
      }
      held.use(await places.take(Math.min(rule.atOnce ?? rule.opens, options.parallel)));
      return await checkStory(session, rule);
    }),
  );
  const judged = chosen
    .filter((each): each is ExchangeRule => each.kind === "exchange")
    .map((rule) => judgeExchanges(session, rule));
  return [...told, ...judged];
}
