import { isNode, type Rule } from "./rule.ts";

/** Each request body and response has at least one example, and each example has a summary. */
export const everyExample: Rule = () => ({
  MediaType(mediaType, { report, location }) {
    const examples = isNode(mediaType["examples"]) ? Object.entries(mediaType["examples"]) : [];
    if (examples.length === 0) report({ message: "There is no example.", location });
    for (const [name, example] of examples) {
      if (isNode(example) && "value" in example && typeof example["summary"] === "string") continue;
      report({ message: "An example needs a summary and a value.", location: location.child(["examples", name]) });
    }
  },
});
