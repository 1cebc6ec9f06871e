import type { Node, Rule, Visit } from "./rule.ts";

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

const COMMON = ["401", "429", "500"];

/** Every operation declares a success and the errors that all operations have. */
export const commonAnswers: Rule = () => ({
  Responses(responses, { report, location }) {
    const isSuccessful = Object.keys(responses).some((status) => status.startsWith("2"));
    if (!isSuccessful) report({ message: "Every operation must declare a successful response.", location });
    for (const status of COMMON) {
      if (!(status in responses)) report({ message: `Every operation must declare a ${status} response.`, location });
    }
  },
});

/** A preview names the minor version that added it. */
export const previews: Rule = () => ({ Operation: checkPreview, Schema: checkPreview });

function checkPreview({ "x-stability": stability, "x-since": since }: Node, { report, location }: Visit): void {
  if (stability === undefined || /^\d+\.\d+$/.test(String(since))) return;
  report({ message: 'A preview needs x-since with a minor version, such as "1.1".', location });
}
