import { type Contract, listOperations, type Operation, resolve } from "../../openapi/scripts/contract.ts";

type Node = { readonly [key: string]: unknown };

/** Keywords that exclude values of the correct type. */
const CONSTRAINTS = [
  ...["enum", "const", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "format"],
  ...["minLength", "maxLength", "pattern", "minItems", "maxItems", "uniqueItems", "required"],
];

/**
 * Lists the constraints that a request can violate: each constrained member of a schema in a request body, such as
 * `OpenOptions.KeepOpen`, and each constrained named schema other than an object, such as `SupportedBrowser`.
 */
export function constrainedInRequests(contract: Contract): readonly string[] {
  return constrainedMembers(contract, ({ requestBody }) => requestBody && resolve(contract, requestBody));
}

/** Lists the constraints that a response can violate, such as `CloseResult.status`. */
export function constrainedInAnswers(contract: Contract): readonly string[] {
  return constrainedMembers(contract, ({ responses }) => [responses, contract.components.responses]);
}

function constrainedMembers(contract: Contract, partOf: (operation: Operation) => unknown): readonly string[] {
  const schemas = contract.components.schemas as unknown as Readonly<Record<string, Node>>;
  const names = new Set<string>();
  const follow = (value: unknown): void => {
    for (const reference of JSON.stringify(value ?? null).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      const [, name = ""] = reference;
      if (names.has(name)) continue;
      names.add(name);
      follow(schemas[name]);
    }
  };
  for (const { operation } of listOperations(contract)) follow(partOf(operation));
  return [...names].flatMap((name) => membersOf(name, schemas[name] ?? {}));
}

function membersOf(name: string, schema: Node): readonly string[] {
  const { properties } = schema as { properties?: Readonly<Record<string, Node>> };
  if (properties === undefined) return isConstrained(schema) ? [name] : [];
  return Object.entries(properties).flatMap(([member, each]) => (isConstrained(each) ? [`${name}.${member}`] : []));
}

/** Whether a schema constrains a value or its elements beyond their types. Ignores named schemas that it refers to. */
function isConstrained(schema: Node): boolean {
  const { items } = schema as { items?: Node };
  return CONSTRAINTS.some((keyword) => keyword in schema) || (items !== undefined && isConstrained(items));
}
