import { follow, isNode, type Node, type Rule, type Visit } from "./rule.ts";

const MEMBERS = ["status", "name", "message", "requestId"];

/** Every error has its own schema, which is named after it, has a constant name and requires all members. */
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
