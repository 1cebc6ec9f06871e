import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { expect, test } from "vitest";
import { at, type Schema } from "../scripts/contract.ts";
import { listFailures } from "../scripts/failures.ts";
import { listExamples } from "./examples.ts";
import { readContract } from "./read-contract.ts";

const contract = readContract();
const examples = listExamples(contract);
const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true });
formats.default(ajv);
for (const word of ["components", "x-alias", "x-hint", "x-enum-varnames"]) ajv.addKeyword(word);
// A separate document, so that Ajv doesn't read other parts of the contract as schemas.
ajv.addSchema({ $id: "contract", components: { schemas: contract.components.schemas } }, undefined, false, false);

function complaints(schema: string, value: unknown): string[] {
  const validate = ajv.compile({ $ref: `contract${schema}` });
  return validate(value)
    ? []
    : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

test.each(examples)("the example $name matches its schema", ({ schema, value }) => {
  expect(complaints(schema, value)).toEqual([]);
});

test("an example that violates its schema is an error", () => {
  expect(complaints("#/components/schemas/OpenOptions", { KeepOpen: true })).toEqual(["/KeepOpen must be number,null"]);
  expect(complaints("#/components/schemas/OpenOptions", { Browser: 1 })).not.toEqual([]);
  expect(complaints("#/components/schemas/OpenOptions", { Proxy: { Host: "h", Port: "65536" } })).not.toEqual([]);
  expect(complaints("#/components/schemas/OpenOptions", { Proxy: { Host: "h", Port: 80 } })).not.toEqual([]);
  expect(complaints("#/components/schemas/OpenResult", { status: 201, address: "ws://h" })).toHaveLength(3);
  expect(complaints("#/components/schemas/QueryRequest", { html: "" })).toHaveLength(2);
});

test.each(["1", "80", "3128", "9999", "59999", "65535"])("%s is a port", (Port) => {
  expect(complaints("#/components/schemas/Proxy", { Host: "h", Port })).toEqual([]);
});

test.each(["", "0", "080", "65536", "70000", "100000", "80 ", "-1", "http"])("%j is not a port", (Port) => {
  expect(complaints("#/components/schemas/Proxy", { Host: "h", Port })).not.toEqual([]);
});

test.each([0, 0.5, 30, 1e12])("KeepOpen may be %d", (KeepOpen) => {
  expect(complaints("#/components/schemas/OpenOptions", { KeepOpen })).toEqual([]);
});

test("examples contain no unknown members in either spelling", () => {
  const strangers = examples.flatMap(({ name, schema, value }) =>
    unknownMembers(at(contract, schema) as Schema, value).map((member) => `${name}: ${member}`),
  );
  expect(strangers).toEqual([]);
});

const options = Object.keys(contract.components.schemas["OpenOptions"]?.properties ?? {});

test.each(options)("Open has examples of %s with a value and with null", (option) => {
  const shown = examples.filter(({ schema }) => schema.endsWith("/OpenOptions")).map(({ value }) => value as object);
  const values = shown.flatMap((value) => (option in value ? [value[option as keyof typeof value]] : []));
  expect(values).toContain(null);
  expect(values.filter((value) => value !== null)).not.toEqual([]);
});

test("every error in the contract has an example", () => {
  const named = new Set(examples.map(({ value }) => (value as { name?: unknown }).name));
  expect(listFailures(contract).filter(({ name }) => !named.has(name))).toEqual([]);
});

function unknownMembers(schema: Schema, value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  const known = Object.entries(schema.properties ?? {}).flatMap(([name, property]) => [name, property["x-alias"]]);
  return Object.keys(value).filter((member) => !known.includes(member));
}
