import { isNode, type Rule } from "./rule.ts";

/** PascalCase members must declare their camelCase form as `x-alias`. Other members may declare a PascalCase form. */
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

/** Numbers must have the format double, because some generated clients use single precision by default. */
export const doubleNumbers: Rule = () => ({
  Schema(schema, { report, location }) {
    const types = [schema["type"]].flat();
    if (types.includes("number") && schema["format"] !== "double") {
      report({ message: "A number needs format: double.", location });
    }
  },
});

/**
 * Every option of Open has an `x-hint` for forms and signatures. The hint consists of whole sentences from the
 * description, including every sentence about the default.
 */
export const hints: Rule = () => ({
  SchemaProperties(properties, { report, location }) {
    for (const [name, property] of Object.entries(properties)) {
      if (!isNode(property) || property["x-alias"] === undefined || !/^[A-Z]/.test(name)) continue;
      const sentences = property["x-hint"];
      if (!Array.isArray(sentences) || sentences.length === 0) {
        report({ message: `${name} needs an x-hint.`, location: location.child([name]) });
        continue;
      }
      const written = String(property["description"])
        .trim()
        .split(/(?<=\.)\s+(?=[A-Z0-9`])/)
        .map((sentence) => sentence.replace(/\s+/g, " "));
      const complain = (message: string) => report({ message, location: location.child([name]) });
      for (const sentence of sentences) {
        if (!written.includes(String(sentence))) complain(`The description of ${name} has no sentence: ${sentence}`);
      }
      for (const sentence of written) {
        const isDefault = /^(The default is|By default,) /.test(sentence);
        if (isDefault && !sentences.includes(sentence)) complain(`The x-hint of ${name} lacks: ${sentence}`);
      }
    }
  },
});
