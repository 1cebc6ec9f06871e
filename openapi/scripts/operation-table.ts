import { type Contract, listOperations, type PlacedOperation, resolve, toSchemaName } from "./contract.ts";
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
    schema: toSchemaName(resolve(contract, response).content["application/json"].schema),
  }));
  const success = answers.find(({ status }) => status < 300);
  if (success === undefined) throw new Error(`${operationId} has no success response.`);
  return {
    method,
    path,
    tag,
    maxBodyBytes: operation["x-max-body-bytes"] ?? null,
    requestSchema: body === undefined ? null : toSchemaName(body.content["application/json"].schema),
    isBodyRequired: body?.required ?? false,
    successStatus: success.status,
    failures: answers
      .filter((answer) => answer !== success)
      .map(({ schema }) => readFailure(contract, schema)?.name ?? refuse(operationId, schema)),
  };
}

function refuse(operationId: string, schema: string): never {
  throw new Error(`${operationId} fails with ${schema}, which is not an error schema: it needs a constant name.`);
}
