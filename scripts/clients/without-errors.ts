import type { Contract } from "../../openapi/scripts/contract.ts";
import { readFailure } from "../../openapi/scripts/failures.ts";
import { mapEntries } from "../../openapi/scripts/for-serving.ts";

/**
 * Returns the contract without errors, for openapi-generator. Our own generators render the error classes, and the
 * clients look up a class by the error's name.
 */
export function withoutErrors(contract: Contract): Contract {
  const schemas = Object.entries(contract.components.schemas).filter(([name]) => !readFailure(contract, name));
  return {
    ...contract,
    paths: mapEntries(contract.paths, (methods) =>
      mapEntries(methods, (operation) => ({
        ...operation,
        responses: Object.fromEntries(Object.entries(operation.responses).filter(([status]) => status.startsWith("2"))),
      })),
    ),
    "x-answers-of-other-requests": {},
    // All named responses are errors.
    components: { ...contract.components, responses: {}, schemas: Object.fromEntries(schemas) },
  };
}
