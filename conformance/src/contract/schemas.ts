import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { contract } from "./contract.ts";

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(contract, "contract");

/** By JSON Pointer: a run holds the same few schemas against thousands of values. */
const validators = new Map<string, ValidateFunction>();

/**
 * Holds a value against a schema of the contract.
 * @param pointer JSON Pointer of the schema.
 * @returns What does not fit, in words; empty when all does.
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
