import { isNode, type Rule } from "./rule.ts";

/** Every option has an `x-hint` for forms and signatures: sentences of its description, word for word. */
export const hints: Rule = () => ({
  SchemaProperties(properties, { report, location }) {
    for (const [name, property] of Object.entries(properties)) {
      if (!isNode(property) || property["x-alias"] === undefined) continue;
      const sentences = property["x-hint"];
      if (!Array.isArray(sentences) || sentences.length === 0) {
        report({ message: `${name} needs an x-hint.`, location: location.child([name]) });
        continue;
      }
      const description = String(property["description"]).replace(/\s+/g, " ");
      for (const sentence of sentences) {
        if (description.includes(String(sentence))) continue;
        report({ message: `The description of ${name} does not say: ${sentence}`, location: location.child([name]) });
      }
    }
  },
});
