import type { Rule } from "./rule.ts";

/** Numbers must have the format double, because some generated clients otherwise use single precision. */
export const doubleNumbers: Rule = () => ({
  Schema(schema, { report, location }) {
    const types = [schema["type"]].flat();
    if (types.includes("number") && schema["format"] !== "double") {
      report({ message: "A number needs format: double.", location });
    }
  },
});
