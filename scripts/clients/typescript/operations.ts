import {
  type Contract,
  type Operation,
  type Response,
  jsonOf,
  listOperations,
  resolve,
  toSchemaName,
} from "../../../openapi/scripts/contract.ts";
import { type DescribedSchema, referenceOf, schemaOf } from "../described-schema.ts";
import { renderSource } from "./source.ts";

const SUCCESS = "200";

/** Renders each operation's method, path, response members or media types, and body types. */
export function renderTypescriptOperations(contract: Contract): string {
  const operations = listOperations(contract);
  const rows = operations.map(({ path, method, operation }) => {
    const answer = JSON.stringify(toAnswer(contract, operation));
    return `  ${operation.operationId}: {\n    method: "${method}",\n    path: "${path}",\n    answer: ${answer},\n  },\n`;
  });
  const types = operations.map(({ operation }) => {
    const body = toType(requestOf(contract, operation), queryOf(operation));
    const answer = toType(schemaOfAnswer(contract, operation), "Uint8Array<ArrayBuffer>");
    return `  ${operation.operationId}: { body: ${body}; answer: ${answer} };\n`;
  });
  return renderSource(
    'import type { components } from "./types.ts";\n',
    "/**\n * The method and path of each operation, and the JSON Schema of its response: members, types and times. For bytes,\n" +
      " * the media types instead.\n */\n" +
      `export const OPERATIONS = {\n${rows.join("")}} as const;\n\nexport type OperationId = keyof typeof OPERATIONS;\n`,
    "/** The bodies of each operation's request and successful response. The query, if a request has no body. */\n" +
      `export type Bodies = {\n${types.join("")}};\n`,
  );
}

/** @throws {Error} If the operation has no successful response. */
function answerOf(contract: Contract, { operationId, responses }: Operation): Response {
  const success = responses[SUCCESS];
  if (success === undefined) throw new Error(`${operationId} has no answer ${SUCCESS}.`);
  return resolve(contract, success);
}

/** Returns the name of the response's schema; undefined for bytes. */
function schemaOfAnswer(contract: Contract, operation: Operation): string | undefined {
  const json = answerOf(contract, operation).content["application/json"];
  return json && toSchemaName(json.schema);
}

function toAnswer(contract: Contract, operation: Operation): object {
  const name = schemaOfAnswer(contract, operation);
  if (name === undefined) return Object.keys(answerOf(contract, operation).content);
  return toShape(contract, schemaOf(contract, name));
}

function requestOf(contract: Contract, { requestBody }: Operation): string | undefined {
  return requestBody && toSchemaName(jsonOf(resolve(contract, requestBody)).schema);
}

/** Returns the type of the parameters in the query, which are strings. */
function queryOf({ parameters = [] }: Operation): string {
  const query = parameters.filter((parameter) => parameter.in === "query");
  const members = query.map(({ name, required }) => `${name}${required === true ? "" : "?"}: string`);
  return members.length === 0 ? "undefined" : `{ ${members.join("; ")} }`;
}

function toType(schema: string | undefined, otherwise: string): string {
  return schema === undefined ? otherwise : `components["schemas"]["${schema}"]`;
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
