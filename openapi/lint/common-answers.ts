import type { Rule } from "./rule.ts";

const COMMON = ["200", "401", "429", "500"];

/** Every operation declares the responses that all operations have. */
export const commonAnswers: Rule = () => ({
  Responses(responses, { report, location }) {
    for (const status of COMMON) {
      if (!(status in responses)) report({ message: `Every operation must declare a response ${status}.`, location });
    }
  },
});
