import type { Contract } from "../../../openapi/scripts/contract.ts";

/** A contract with only the parts that the Python renderers read. */
export function contractOf(schemas: Readonly<Record<string, object>>): Contract {
  return {
    info: { summary: "", description: "" },
    paths: {},
    components: { schemas, responses: {}, requestBodies: {} },
    "x-answers-of-other-requests": {},
  };
}

/** An error schema with a constant name and status. */
export function errorSchema(name: string, status: number, others: object = {}): object {
  const properties = { status: { const: status }, name: { const: name }, message: {}, requestId: {}, ...others };
  return { description: `What ${name} means.`, properties };
}
