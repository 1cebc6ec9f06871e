import { follow, type Rule } from "./rule.ts";

/**
 * Responses are listed by exact status, because mocks invent bodies for ranges. If the body has a `status`, it is
 * constant and the same.
 */
export const exactStatuses: Rule = () => ({
  Responses(responses, visit) {
    for (const status of Object.keys(responses)) {
      const location = visit.location.child([status]);
      if (!/^[1-5]\d\d$/.test(status)) {
        visit.report({ message: `${status} is not an exact HTTP status.`, location });
        continue;
      }
      const content = follow(follow({ node: responses }, status, visit), "content", visit);
      const schema = follow(follow(content, "application/json", visit), "schema", visit);
      const properties = follow(schema, "properties", visit);
      if (!("status" in properties.node)) continue;
      const inBody = follow(properties, "status", visit).node["const"];
      const name = follow(properties, "name", visit).node["const"];
      // One exception comes from the source document: in the body of the unexpected error, it is 0.
      const expected = name === "Unknown" && status === "500" ? 0 : Number(status);
      if (inBody === expected) continue;
      visit.report({ message: `The body's status must be the constant ${expected}, not ${String(inBody)}.`, location });
    }
  },
});
