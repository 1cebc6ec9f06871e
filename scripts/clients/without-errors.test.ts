import { expect, test } from "vitest";
import type { Contract } from "../../openapi/scripts/contract.ts";
import { withoutErrors } from "./without-errors.ts";

test("errors are removed, along with the responses that refer to them", () => {
  const BusyError = { properties: { status: { const: 503 }, name: { const: "Busy" } } };
  const Result = { properties: { status: { const: 200 } } };
  const answers = { 200: { description: "Done." }, 503: { $ref: "#/components/responses/Busy" } };
  const contract = {
    paths: { "/Open": { post: { operationId: "open", responses: answers } } },
    components: { schemas: { BusyError, Result }, responses: { Busy: {} }, headers: {} },
  } as unknown as Contract;
  expect(withoutErrors(contract)).toEqual({
    paths: { "/Open": { post: { operationId: "open", responses: { 200: { description: "Done." } } } } },
    "x-answers-of-other-requests": {},
    components: { schemas: { Result }, responses: {}, headers: {} },
  });
});
