import { type Found, follow, isNode, type Node, type Rule, type Visit } from "./rule.ts";

const [PASCAL_CASE, CAMEL_CASE] = [/^[A-Z][A-Za-z0-9]*$/, /^[a-z][A-Za-z0-9]*$/];

/** The options of Open, and the members of their objects, are in PascalCase. All other members are in camelCase. */
export const spelling: Rule = () => {
  const options = new Set<Node>();
  return {
    Root(root, visit) {
      const path = follow(follow({ node: root }, "paths", visit), "/api/v1/Browser/Open", visit);
      const body = follow(follow(path, "post", visit), "requestBody", visit);
      const json = follow(follow(body, "content", visit), "application/json", visit);
      addOptions(follow(json, "schema", visit), options, visit);
    },
    SchemaProperties(properties, { report, location }) {
      const [form, words] = options.has(properties) ? [PASCAL_CASE, "PascalCase"] : [CAMEL_CASE, "camelCase"];
      for (const name of Object.keys(properties)) {
        if (!form.test(name)) report({ message: `${name} must be in ${words}.`, location: location.child([name]) });
      }
    },
  };
};

/** Adds the properties of a schema, and of the objects in them. */
function addOptions(schema: Found, options: Set<Node>, visit: Visit): void {
  const properties = follow(schema, "properties", visit);
  options.add(properties.node);
  for (const name of Object.keys(properties.node)) {
    const property = follow(properties, name, visit);
    const branches = property.node["anyOf"];
    if (!Array.isArray(branches)) continue;
    const parent = { node: Object.fromEntries(branches.entries()), file: property.file };
    for (const branch of Object.keys(parent.node)) addOptions(follow(parent, branch, visit), options, visit);
  }
}

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
