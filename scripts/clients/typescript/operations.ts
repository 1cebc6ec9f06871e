import {
  type Contract,
  type Operation,
  listOperations,
  resolve,
  toSchemaName,
} from "../../../openapi/scripts/contract.ts";
import { type DescribedSchema, referenceOf, schemaOf } from "../described-schema.ts";
import { renderSource } from "./source.ts";

const SUCCESS = "200";

/** Renders each operation's method, path, response members and body types. */
export function renderTypescriptOperations(contract: Contract): string {
  const operations = listOperations(contract);
  const rows = operations.map(({ path, method, operation }) => {
    const answer = JSON.stringify(toShape(contract, schemaOf(contract, answerOf(contract, operation))));
    return `  ${operation.operationId}: {\n    method: "${method}",\n    path: "${path}",\n    answer: ${answer},\n  },\n`;
  });
  const types = operations.map(({ operation }) => {
    const body = toType(requestOf(contract, operation));
    return `  ${operation.operationId}: { body: ${body}; answer: ${toType(answerOf(contract, operation))} };\n`;
  });
  return renderSource(
    'import type { components } from "./types.ts";\n',
    "/** The method and path of each operation, and the JSON Schema of its response: members, types and times. */\n" +
      `export const OPERATIONS = {\n${rows.join("")}} as const;\n\nexport type OperationId = keyof typeof OPERATIONS;\n`,
    "/** The bodies of each operation's request and successful response. */\n" +
      `export type Bodies = {\n${types.join("")}};\n`,
  );
}

/** @throws {Error} If the operation has no successful response. */
function answerOf(contract: Contract, { operationId, responses }: Operation): string {
  const success = responses[SUCCESS];
  if (success === undefined) throw new Error(`${operationId} has no answer ${SUCCESS}.`);
  return toSchemaName(resolve(contract, success).content["application/json"].schema);
}

function requestOf(contract: Contract, { requestBody }: Operation): string | undefined {
  return requestBody && toSchemaName(resolve(contract, requestBody).content["application/json"].schema);
}

function toType(schema: string | undefined): string {
  return schema === undefined ? "undefined" : `components["schemas"]["${schema}"]`;
}

/** Reduces a schema to members, types and timestamp formats, and resolves references. */
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
