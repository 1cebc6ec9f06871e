import { describe, inject, test, afterAll } from "vitest";
import type { RuleResult } from "../registry/verdict.ts";
import { checkStory, judgeExchanges } from "./check-rule.ts";
import type { RunOptions } from "./run-options.ts";
import { scheduleOf } from "./schedule.ts";
import { Session } from "./session.ts";

declare module "vitest" {
  interface TaskMeta {
    ruleResult?: RuleResult;
  }
  interface ProvidedContext {
    runOptions: RunOptions;
  }
}

const options = inject("runOptions");
const session = new Session(options);
const { stories, exchangeRules, enter } = scheduleOf(options);

afterAll(() => session[Symbol.asyncDispose]());

describe.concurrent("stories", () => {
  for (const rule of stories) {
    test(rule.id, async ({ task, expect, signal }) => {
      signal.addEventListener("abort", () => session.interrupt());
      await using _ = await enter(rule);
      task.meta.ruleResult = await checkStory(session, rule);
      expect(task.meta.ruleResult.verdict).not.toBe("fail");
    });
  }
});

describe("exchanges", () => {
  for (const rule of exchangeRules) {
    test(rule.id, ({ task, expect }) => {
      task.meta.ruleResult = judgeExchanges(session, rule);
      expect(task.meta.ruleResult.verdict).not.toBe("fail");
    });
  }
});
