import type { RuleResult } from "../src/registry/verdict.ts";
import { checkStory, judgeExchanges } from "../src/run/check-rule.ts";
import type { RunOptions } from "../src/run/run-options.ts";
import { scheduleOf } from "../src/run/schedule.ts";
import { Session } from "../src/run/session.ts";

/** Runs rules as `suite.ts` does, but without Vitest, which takes longer to start than most rules to run. */
export async function play(options: RunOptions): Promise<RuleResult[]> {
  await using session = new Session(options);
  const { stories, exchangeRules, enter } = scheduleOf(options);
  const results = await Promise.all(
    stories.map(async (rule) => {
      await using _ = await enter(rule);
      return await checkStory(session, rule);
    }),
  );
  return [...results, ...exchangeRules.map((rule) => judgeExchanges(session, rule))];
}
