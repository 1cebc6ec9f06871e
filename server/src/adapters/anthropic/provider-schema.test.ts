import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { toProviderSchema } from "./provider-schema.ts";

const PRICE = { type: "number" };
const object = (properties: object, more: object = {}) => ({ type: "object", properties, ...more });

describe("the schema that the provider enforces", () => {
  test("forbids additional properties and omits most limits", () => {
    const schema = object(
      {
        price: { type: "number", minimum: 0 },
        tags: { type: "array", items: { type: "string", maxLength: 9 }, minItems: 1 },
      },
      { required: ["price"], $schema: "https://json-schema.org/draft/2020-12/schema" },
    );
    expect(toProviderSchema(schema)).toEqual({
      isWrapped: false,
      schema: {
        type: "object",
        properties: { price: PRICE, tags: { type: "array", items: { type: "string" }, minItems: 1 } },
        required: ["price"],
        additionalProperties: false,
      },
    });
  });

  test.each<[object, object]>([
    [{ type: "number", multipleOf: 2 }, PRICE],
    [
      { type: "array", items: PRICE, minItems: 5 },
      { type: "array", items: PRICE },
    ],
    [{ type: ["string", "null"] }, { anyOf: [{ type: "string" }, { type: "null" }] }],
    [{ oneOf: [PRICE, { const: "free" }] }, { anyOf: [PRICE, { const: "free" }] }],
    [
      { type: "string", enum: ["a", "b"], description: "Which." },
      { enum: ["a", "b"], description: "Which." },
    ],
    [
      { type: "string", format: "date" },
      { type: "string", format: "date" },
    ],
    [{ type: "string", format: "regex", pattern: "^a" }, { type: "string" }],
    [{ allOf: [PRICE] }, PRICE],
  ])("of %j is %j, wrapped in an object", (schema, value) => {
    expect(toProviderSchema(schema as never)).toMatchObject({
      isWrapped: true,
      schema: { type: "object", properties: { value }, required: ["value"], additionalProperties: false },
    });
  });

  test("collects used definitions of either spelling under $defs", () => {
    const schema = {
      $ref: "#/definitions/Offer",
      definitions: { Offer: object({ price: { $ref: "#/definitions/Price" } }), Price: PRICE, Unused: {} },
    };
    expect(toProviderSchema(schema)?.schema).toMatchObject({
      properties: { value: { $ref: "#/$defs/Offer" } },
      $defs: { Price: PRICE, Offer: { properties: { price: { $ref: "#/$defs/Price" } } } },
    });
  });

  test("renames a definition if $defs and definitions use the same name", () => {
    const schema = object(
      { a: { $ref: "#/$defs/B" }, b: { $ref: "#/definitions/B" }, again: { $ref: "#/definitions/B" } },
      { $defs: { B: PRICE }, definitions: { B: { type: "string" } } },
    );
    expect(toProviderSchema(schema)?.schema).toMatchObject({
      properties: { a: { $ref: "#/$defs/B" }, b: { $ref: "#/$defs/B_" }, again: { $ref: "#/$defs/B_" } },
      $defs: { B: PRICE, B_: { type: "string" } },
    });
  });

  test("can be a reference next to annotations", () => {
    const schema = {
      $schema: "http://json-schema.org/draft-07/schema#",
      title: "An offer",
      $ref: "#/definitions/Offer",
      definitions: { Offer: object({ price: PRICE }) },
    };
    expect(toProviderSchema(schema)?.schema).toMatchObject({ properties: { value: { $ref: "#/$defs/Offer" } } });
  });

  test.each<[string, object]>([
    ["a reference", { $ref: "#/$defs/base" }],
    ["a branch", { allOf: [{ $ref: "#/$defs/base" }] }],
    ["a choice", { anyOf: [object({ a: PRICE })] }],
    ["a choice with one branch", { oneOf: [object({ a: PRICE })] }],
  ])("is undefined for %s with sibling keywords, at the root or nested", (_what, keyword) => {
    const $defs = { base: object({ a: PRICE }) };
    for (const sibling of [{ properties: { b: PRICE } }, { required: ["a"] }, { $dynamicRef: "#x" }]) {
      expect(toProviderSchema({ ...keyword, ...sibling, $defs })).toBeUndefined();
      expect(toProviderSchema(object({ part: { ...keyword, ...sibling } }, { $defs }))).toBeUndefined();
    }
    expect(toProviderSchema({ type: "array", items: PRICE, ...keyword, $defs })).toBeUndefined();
    expect(toProviderSchema({ ...keyword, description: "An offer", $defs })).toBeDefined();
  });

  test.each<[string, unknown]>([
    ["anything", true],
    ["nothing", false],
    ["an open schema", {}],
    ["an object with arbitrary names", { type: "object" }],
    ["a map", { type: "object", additionalProperties: PRICE }],
    ["an object with additional members", object({ a: PRICE }, { additionalProperties: true })],
    ["an object that a branch extends", object({ a: PRICE }, { anyOf: [object({ b: PRICE })] })],
    ["a required member without a schema", object({ a: PRICE }, { required: ["b"] })],
    ["an array of anything", { type: "array" }],
    ["a tuple", { type: "array", prefixItems: [PRICE] }],
    ["an enum of objects", { enum: [{ a: 1 }] }],
    ["all of several", { allOf: [PRICE, { minimum: 1 }] }],
    ["a tree", { $ref: "#/$defs/n", $defs: { n: object({ n: { $ref: "#/$defs/n" } }) } }],
    ["itself", object({ self: { $ref: "#" } })],
    ["a place elsewhere", { $ref: "https://example.com/schema" }],
    ["a missing definition", { $ref: "#/$defs/toString", $defs: {} }],
    ["an unknown type", { type: "decimal" }],
  ])("is undefined for %s", (_what, schema) => {
    expect(toProviderSchema(schema as never)).toBeUndefined();
  });

  test("accepts values that the original schema accepts", () => {
    const schema = object(
      { a: { type: ["integer", "null"] }, b: { oneOf: [{ type: "string", minLength: 2 }, { $ref: "#/$defs/c" }] } },
      { required: ["a"], $defs: { c: { type: "array", items: { enum: [1, null] }, minItems: 2 } } },
    );
    const [full, part] = [schema, toProviderSchema(schema as never)?.schema ?? false].map((one) =>
      new Ajv2020().compile(one),
    );
    for (const value of [{ a: 1 }, { a: null, b: "xx" }, { a: 3, b: [1, null] }]) {
      expect([full?.(value), part?.(value)]).toEqual([true, true]);
    }
  });
});
