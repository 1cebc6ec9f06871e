import contract from "@remote-browser/contract/openapi.json" with { type: "json" };

/** The name of the contract example that contains the text of a Query response. */
export type QueryKind = keyof typeof examples;

const examples = contract.paths["/api/v1/ai/Query"].post.responses["200"].content["application/json"].examples;

type Keywords = { readonly type?: unknown; readonly $ref?: unknown };

/** @param format The request's `responseFormat`. */
export function kindOfFormat(format: string | undefined): QueryKind {
  if (format === undefined || format === "text") return "text";
  if (format === "json") return "json";
  return kindOfSchema(JSON.parse(format));
}

/** Returns `number` for a number schema, and `schema` for any other schema. */
export function kindOfSchema(schema: unknown): QueryKind {
  const { type, $ref } = schema as Keywords;
  if (typeof $ref === "string") return kindOfSchema(at(schema, $ref));
  return type === "number" || type === "integer" ? "number" : "schema";
}

/** Returns the model's answer in the contract's example. */
export function modelText(kind: QueryKind): string {
  return examples[kind].value.response;
}

function at(schema: unknown, pointer: string): unknown {
  const [, ...keys] = pointer.split("/");
  return keys.reduce((node, key) => (node as Record<string, unknown>)[key], schema);
}
