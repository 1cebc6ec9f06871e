import { type Contract, listOperations, resolve, toSchemaName } from "../../../openapi/scripts/contract.ts";
import { type DescribedSchema, referenceOf, schemaOf } from "../described-schema.ts";
import { renderSource } from "./source.ts";

const SUCCESS = "200";

/** Renders the method and path of each operation, and the members that its response must have. */
export function renderTypescriptOperations(contract: Contract): string {
  const rows = listOperations(contract).map(({ path, method, operation }) => {
    const success = operation.responses[SUCCESS];
    if (success === undefined) throw new Error(`${operation.operationId} has no answer ${SUCCESS}.`);
    const schema = toSchemaName(resolve(contract, success).content["application/json"].schema);
    const answer = JSON.stringify(toShape(contract, schemaOf(contract, schema)));
    return `  ${operation.operationId}: {\n    method: "${method}",\n    path: "${path}",\n    answer: ${answer},\n  },\n`;
  });
  return renderSource(
    "/** The method and path of each operation, and the JSON Schema of its response: members, types and times. */\n" +
      `export const OPERATIONS = {\n${rows.join("")}} as const;\n\nexport type OperationId = keyof typeof OPERATIONS;\n`,
  );
}

/** Reduces a schema to members, types and times, and resolves references. */
function toShape(contract: Contract, schema: DescribedSchema): object {
  const reference = referenceOf(schema);
  if (reference !== undefined) return toShape(contract, schemaOf(contract, reference));
  const { type, format, required, properties, items } = schema;
  const members = Object.entries(properties ?? {}).map(([name, each]) => [name, toShape(contract, each)]);
  return {
    ...(type !== undefined && { type: [type].flat() }),
    ...(format === "date-time" && { format }),
    ...(required !== undefined && { required }),
    ...(properties !== undefined && { properties: Object.fromEntries(members) }),
    ...(items !== undefined && { items: toShape(contract, items) }),
  };
}
