import contract from "@remote-browser/contract/openapi.json" with { type: "json" };
import { operations } from "@remote-browser/contract/operations";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { expect } from "vitest";

type Declared = {
  readonly responses: Readonly<Record<string, { readonly $ref?: string; readonly content?: unknown }>>;
};

const ajv = new Ajv2020({ strict: false, validateFormats: false, meta: false, validateSchema: false });
ajv.addSchema(contract, "contract");

/** Validators by JSON Pointer, compiled once because tests make thousands of calls. */
const validators = new Map<string, ValidateFunction>();

/** Fails the test unless the contract declares the response for the operation at this path. */
export function expectDeclared(path: string, method: string, status: number, headers: Headers, body: unknown): void {
  expect(headers.get("x-request-id")).toMatch(/./);
  expect(headers.get("content-type")).toMatch(/^application\/json/);
  const operation = Object.values(operations).find(
    (known) => known.path.toLowerCase() === path.toLowerCase() && known.method === method.toLowerCase(),
  );
  const pointer =
    operation === undefined
      ? `/components/responses/${status === 405 ? "MethodNotAllowed" : "NotFound"}`
      : toResponsePointer(operation.path, operation.method, status);
  const validate =
    validators.get(pointer) ?? ajv.compile({ $ref: `contract#${pointer}/content/application~1json/schema` });
  validators.set(pointer, validate);
  expect(validate(body), `${status} ${JSON.stringify(body)}: ${ajv.errorsText(validate.errors)}`).toBe(true);
}

function toResponsePointer(path: string, method: string, status: number): string {
  const paths: Readonly<Record<string, Readonly<Record<string, Declared>>>> = contract.paths;
  const response = paths[path]?.[method]?.responses[status];
  expect(response, `the contract declares no ${status} for ${path}`).toBeDefined();
  return response?.$ref?.slice(1) ?? `/paths/${path.replaceAll("/", "~1")}/${method}/responses/${status}`;
}
