import type { Rule } from "./rule.ts";

/** Every operation with a body has a size limit and declares the responses 400, 413 and 415. */
export const bodyLimits: Rule = () => ({
  Operation(operation, { report, location, resolve }) {
    if (!("requestBody" in operation)) return;
    const limit = operation["x-max-body-bytes"];
    if (!Number.isInteger(limit) || Number(limit) < 1) report({ message: "x-max-body-bytes is missing.", location });
    const responses = resolve(operation["responses"]).node as Record<string, unknown>;
    for (const status of ["400", "413", "415"]) {
      if (!(status in responses))
        report({ message: `An operation with a body must declare a ${status} response.`, location });
    }
  },
});

const COMMON = ["200", "401", "429", "500"];

/** Every operation declares the responses that all operations have. */
export const commonAnswers: Rule = () => ({
  Responses(responses, { report, location }) {
    for (const status of COMMON) {
      if (!(status in responses)) report({ message: `Every operation must declare a ${status} response.`, location });
    }
  },
});
