import { isNode, type Rule } from "./rule.ts";

/** Every PascalCase member names its camelCase form, and no other member has one. */
export const aliases: Rule = () => ({
  SchemaProperties(properties, { report, location }) {
    for (const [name, property] of Object.entries(properties)) {
      const alias = isNode(property) ? property["x-alias"] : undefined;
      const expected = /^[A-Z]/.test(name) ? `${name.charAt(0).toLowerCase()}${name.slice(1)}` : undefined;
      if (alias === expected) continue;
      const message =
        expected === undefined ? `${name} must not have an x-alias.` : `${name} needs x-alias: ${expected}.`;
      report({ message, location: location.child([name]) });
    }
  },
});
