import type { Contract } from "../../openapi/scripts/contract.ts";

/**
 * The contract as Prism gets it. Prism answers an invalid request with 422 where an operation has it, rather than with
 * 400: clients that are tried on the mock would be told that they reused an Idempotency-Key.
 */
export function forMock(contract: Contract): Contract {
  const paths = Object.entries(contract.paths).map(([path, methods]) => [
    path,
    Object.fromEntries(
      Object.entries(methods).map(([method, operation]) => {
        if (operation.operationId !== "openBrowser") return [method, operation];
        const { 422: _unused, ...responses } = operation.responses;
        return [method, { ...operation, responses }];
      }),
    ),
  ]);
  return { ...contract, paths: Object.fromEntries(paths) };
}
