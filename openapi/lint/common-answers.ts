import type { Rule } from "./rule.ts";

const COMMON = ["200", "401", "429", "500"];

/** What every operation can answer, it declares. */
export const commonAnswers: Rule = () => ({
  Responses(responses, { report, location }) {
    for (const status of COMMON) {
      if (!(status in responses)) report({ message: `Every operation can answer ${status}.`, location });
    }
  },
});
