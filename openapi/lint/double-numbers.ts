import type { Rule } from "./rule.ts";

/** Numbers are doubles; without a format, some generated clients make them single-precision. */
export const doubleNumbers: Rule = () => ({
  Schema(schema, { report, location }) {
    const types = [schema["type"]].flat();
    if (types.includes("number") && schema["format"] !== "double") {
      report({ message: "A number needs format: double.", location });
    }
  },
});
