import { describe, inject, test, afterAll } from "vitest";
import type { RuleResult } from "./verdict.ts";
import { checkScenario, judgeExchanges } from "./check-rule.ts";
import type { RunOptions } from "../session/run-options.ts";
import { scheduleOf } from "./schedule.ts";
import { Session } from "../session/session.ts";

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
const { scenarios, exchangeRules, acquire } = scheduleOf(options);

afterAll(() => session[Symbol.asyncDispose]());

describe.concurrent("scenarios", () => {
  for (const rule of scenarios) {
    test(rule.id, async ({ task, expect, signal }) => {
      signal.addEventListener("abort", () => session.interrupt());
      await using _ = await acquire(rule);
      task.meta.ruleResult = await checkScenario(session, rule);
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
