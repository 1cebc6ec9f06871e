import { follow, isNode, type Node, type Rule, type Visit } from "./rule.ts";

/** Response statuses must be exact and match the body's `status`, because mock servers make up bodies for ranges. */
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
      // An exception in the source document: the unexpected error's body has the status 0.
      const expected = name === "Unknown" && status === "500" ? 0 : Number(status);
      if (inBody === expected) continue;
      visit.report({ message: `The body's status must be the constant ${expected}, not ${String(inBody)}.`, location });
    }
  },
});

/** A body is a JSON object. Only a successful response may have other media types, which clients return as bytes. */
export const bodies: Rule = () => ({
  Responses(responses, visit) {
    for (const status of Object.keys(responses)) {
      const content = follow(follow({ node: responses }, status, visit), "content", visit);
      const types = Object.keys(content.node);
      const isJson = Number(status) >= 400 || types.includes("application/json");
      const complain = (message: string) => visit.report({ message, location: visit.location.child([status]) });
      if (isJson && types.join() !== "application/json") complain("A JSON body has no other media type.");
      for (const type of types) {
        const { node } = follow(follow(content, type, visit), "schema", visit);
        if (isJson && node["type"] !== "object") complain("A JSON body must be an object.");
        if (!isJson && node["format"] !== "binary") complain(`${type} needs a schema with format: binary.`);
      }
    }
  },
});

const MEMBERS = ["status", "name", "message", "requestId"];

/** Every error has its own schema, which is named after the error, has a constant `name` and requires all members. */
export const errorSchemas: Rule = () => ({
  Responses(responses, visit) {
    for (const status of Object.keys(responses)) {
      if (Number(status) >= 400) check(responses, status, visit);
    }
  },
  AnswersOfOtherRequests(answers, visit) {
    for (const name of Object.keys(answers)) check(answers, name, visit);
  },
});

function check(answers: Node, key: string, visit: Visit): void {
  const complain = (message: string) => visit.report({ message, location: visit.location.child([key]) });
  const mediaType = follow(follow(follow({ node: answers }, key, visit), "content", visit), "application/json", visit);
  const reference = isNode(mediaType.node["schema"]) ? mediaType.node["schema"]["$ref"] : undefined;
  if (typeof reference !== "string") return complain("An error's schema must be a reference to a named schema.");

  const schema = follow(mediaType, "schema", visit);
  const properties = follow(schema, "properties", visit);
  const name = follow(properties, "name", visit).node["const"];
  if (typeof name !== "string") return complain("An error schema's name must be a constant.");

  const schemaName = reference.slice(reference.lastIndexOf("/") + 1);
  const expectedName = name.endsWith("Error") ? name : `${name}Error`;
  if (schemaName !== expectedName) complain(`The schema of the error ${name} must be called ${expectedName}.`);

  const required = Array.isArray(schema.node["required"]) ? schema.node["required"] : [];
  for (const member of name === "BadRequest" ? [...MEMBERS, "errors"] : MEMBERS) {
    if (!(member in properties.node)) complain(`${schemaName} lacks ${member}.`);
    else if (!required.includes(member)) complain(`${schemaName} must require ${member}.`);
  }
}

/** Each request body and response has at least one example. Each example has a summary. */
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
