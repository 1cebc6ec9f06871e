import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { contract } from "./contract.ts";

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(contract, "contract");

/** Compiled once per JSON Pointer: a run checks thousands of values against a few schemas. */
const validators = new Map<string, ValidateFunction>();

/**
 * Validates a value against a schema of the contract.
 * @param pointer JSON Pointer of the schema.
 * @returns One text per error. Empty if the value is valid.
 */
export function schemaErrors(pointer: string, value: unknown): readonly string[] {
  const validate = validators.get(pointer) ?? ajv.compile({ $ref: `contract${pointer}` });
  validators.set(pointer, validate);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) =>
      `${instancePath === "" ? "the body" : instancePath} ${message} ${JSON.stringify(params)}`,
  );
}
