import type { Contract } from "../../../openapi/scripts/contract.ts";
import { readFailure } from "../../../openapi/scripts/failures.ts";
import { renderTypes } from "../../../openapi/scripts/outputs.ts";
import { ownMembers } from "../described-schema.ts";

/**
 * Renders the body types that `operations.ts` assigns to operations. Errors are classes, so only errors with additional
 * members need a type.
 */
export function renderTypescriptTypes(contract: Contract): Promise<string> {
  const schemas = Object.entries(contract.components.schemas).filter(([name]) => {
    const failure = readFailure(contract, name);
    return failure === undefined || ownMembers(contract, failure).length > 0;
  });
  const components = { schemas: Object.fromEntries(schemas), responses: {}, requestBodies: {} };
  return renderTypes({ ...contract, paths: {}, components, "x-answers-of-other-requests": {} });
}
