import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { type ContractVersion, NEWEST_VERSION, contractOf, CONTRACT_VERSIONS } from "./versions.ts";

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
for (const version of CONTRACT_VERSIONS) ajv.addSchema(contractOf(version), `contract-${version}`);

/** Cache of compiled validators by version and JSON Pointer. A run checks thousands of values against a few schemas. */
const validators = new Map<string, ValidateFunction>();

/**
 * Validates a value against a schema in the contract.
 * @param pointer JSON Pointer to the schema.
 * @returns One message per error. Empty if the value is valid.
 */
export function schemaErrors(
  pointer: string,
  value: unknown,
  version: ContractVersion = NEWEST_VERSION,
): readonly string[] {
  const place = `contract-${version}${pointer}`;
  const validate = validators.get(place) ?? ajv.compile({ $ref: place });
  validators.set(place, validate);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) =>
      `${instancePath === "" ? "the body" : instancePath} ${message} ${JSON.stringify(params)}`,
  );
}
