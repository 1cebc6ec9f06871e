import type { Contract, Schema } from "./contract.ts";

/** An error that the contract defines. */
export type ContractFailure = {
  readonly schema: string;
  readonly name: string;
  /** The body's `status`: the HTTP status, or 0. */
  readonly bodyStatus: number;
  readonly httpStatus: number;
};

// In the source document, the unexpected error has the status 0, which doesn't exist in HTTP.
const HTTP_STATUS_OF_0 = 500;

/** Lists all errors, sorted by HTTP status and name. */
export function listFailures(contract: Contract): ContractFailure[] {
  return Object.keys(contract.components.schemas)
    .flatMap((schema) => readFailure(contract, schema) ?? [])
    .toSorted((a, b) => a.httpStatus - b.httpStatus || (a.name < b.name ? -1 : 1));
}

/** Returns the error that a schema describes; undefined for other schemas. */
export function readFailure(contract: Contract, schema: string): ContractFailure | undefined {
  const properties: Schema["properties"] = contract.components.schemas[schema]?.properties;
  const name = properties?.["name"]?.const;
  const bodyStatus = properties?.["status"]?.const;
  if (typeof name !== "string" || typeof bodyStatus !== "number") return undefined;
  return { schema, name, bodyStatus, httpStatus: bodyStatus === 0 ? HTTP_STATUS_OF_0 : bodyStatus };
}
