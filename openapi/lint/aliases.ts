import { isNode, type Rule } from "./rule.ts";

/** Every PascalCase member names its camelCase form. Other members may name their PascalCase form. */
export const aliases: Rule = () => ({
  SchemaProperties(properties, { report, location }) {
    for (const [name, property] of Object.entries(properties)) {
      const alias = isNode(property) ? property["x-alias"] : undefined;
      const isPascal = /^[A-Z]/.test(name);
      const first = name.charAt(0);
      const expected = `${isPascal ? first.toLowerCase() : first.toUpperCase()}${name.slice(1)}`;
      if (alias === expected || (!isPascal && alias === undefined)) continue;
      report({ message: `${name} needs x-alias: ${expected}.`, location: location.child([name]) });
    }
  },
});
