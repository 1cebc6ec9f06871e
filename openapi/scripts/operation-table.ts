import { type Contract, jsonOf, listOperations, type PlacedOperation, resolve, toSchemaName } from "./contract.ts";
import { readFailure } from "./failures.ts";

/** The operation data that servers and clients need. */
export type OperationRow = {
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly maxBodyBytes: number | null;
  readonly requestSchema: string | null;
  readonly isBodyRequired: boolean;
  readonly successStatus: number;
  /** The media types of a successful response. */
  readonly successTypes: readonly string[];
  readonly isPreview: boolean;
  readonly failures: readonly string[];
};

/** Returns every operation by its operationId, in the contract's order. */
export function toOperationTable(contract: Contract): Record<string, OperationRow> {
  return Object.fromEntries(
    listOperations(contract).map((placed) => [placed.operation.operationId, toRow(contract, placed)]),
  );
}

function toRow(contract: Contract, { path, method, operation }: PlacedOperation): OperationRow {
  const { operationId, tags, requestBody, responses } = operation;
  const body = requestBody === undefined ? undefined : resolve(contract, requestBody);
  const [tag] = tags;
  if (tag === undefined) throw new Error(`${operationId} has no tag.`);
  const answers = Object.entries(responses).map(([status, response]) => ({
    status: Number(status),
    response: resolve(contract, response),
  }));
  const success = answers.find(({ status }) => status < 300);
  if (success === undefined) throw new Error(`${operationId} has no success response.`);
  return {
    method,
    path,
    tag,
    maxBodyBytes: operation["x-max-body-bytes"] ?? null,
    requestSchema: body === undefined ? null : toSchemaName(jsonOf(body).schema),
    isBodyRequired: body?.required ?? false,
    successStatus: success.status,
    successTypes: Object.keys(success.response.content),
    isPreview: operation["x-stability"] === "preview",
    failures: answers
      .filter(({ status }) => status >= 400)
      .map(({ response }) => toSchemaName(jsonOf(response).schema))
      .map((schema) => readFailure(contract, schema)?.name ?? refuse(operationId, schema)),
  };
}

function refuse(operationId: string, schema: string): never {
  throw new Error(`${operationId} fails with ${schema}, which is not an error schema: it needs a constant name.`);
}
