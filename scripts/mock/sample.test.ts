import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { sample } from "./typed-queries.ts";

const PRICE = { type: "object", properties: { amount: { type: "number", minimum: 1 } }, required: ["amount"] };

test.each<[object]>([
  [{ type: "number" }],
  [{ type: "integer", exclusiveMinimum: 7 }],
  [{ type: "boolean" }],
  [{ type: ["string", "null"], minLength: 9 }],
  [{ enum: ["small", "large"] }],
  [{ const: 3 }],
  [{ type: "array", minItems: 2, items: { type: "string" } }],
  [{ anyOf: [{ type: "null" }, { type: "string" }] }],
  [PRICE],
  [{ $defs: { Price: PRICE }, type: "object", properties: { price: { $ref: "#/$defs/Price" } }, required: ["price"] }],
])("a sample of the schema %j is valid", (schema) => {
  const isValid = new Ajv2020({ strict: false }).compile(schema);
  const value = sample(schema);
  expect({ value, isValid: isValid(value) }).toEqual({ value, isValid: true });
});

test("the sample of a recursive type is finite", () => {
  const $ref = "#/$defs/Node";
  const schema = { $defs: { Node: { type: "object", properties: { next: { $ref } } } }, $ref };
  expect(JSON.stringify(sample(schema))).toMatch(/^(\{"next":)+null\}+$/);
});
