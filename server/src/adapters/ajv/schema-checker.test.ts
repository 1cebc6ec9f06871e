import { describe, expect, test } from "vitest";
import type { JsonSchema } from "../../domain/query/response-format.ts";
import { type Threads, threadScript } from "../../ports/threads.ts";
import { check } from "./check.ts";
import type { CheckInput } from "./check-thread.ts";
import { newSchemaChecker } from "./schema-checker.ts";
import { HAS_VARIANTS } from "../../../test/support/variants.ts";

const NEVER = { signal: new AbortController().signal, account: "a1" };

/** Runs the checks in this thread instead of a worker. */
const here: Threads = {
  run: async (_script, input) => check((input as CheckInput).schema, (input as CheckInput).json),
};
const checker = newSchemaChecker(here);
const problems = (schema: JsonSchema, value: unknown) => checker.findProblems(schema, JSON.stringify(value), NEVER);

describe("a value", () => {
  test.each<[JsonSchema, unknown]>([
    [{ type: "number" }, 39.9],
    [true, null],
    [{}, [1]],
    [{ type: "string", format: "date" }, "2026-11-21"],
    [{ type: "string", format: "no such format", "x-own": 1 }, "x"],
    [{ type: "array", prefixItems: [{ type: "string" }], items: false }, ["a"]],
    [
      { $schema: "http://json-schema.org/draft-07/schema#", items: [{ type: "string" }], additionalItems: false },
      ["a"],
    ],
    [{ $schema: "https://json-schema.org/draft/2019-09/schema", $ref: "#/$defs/a", $defs: { a: { const: 1 } } }, 1],
    [{ $ref: "#/definitions/a", definitions: { a: { enum: [1, 2] } } }, 2],
  ])("matches: %j %j", async (schema, value) => {
    expect(await problems(schema, value)).toEqual([]);
  });

  test("that doesn't match is reported to the model by the value's paths, and elsewhere by the schema's names", async () => {
    const item = {
      type: "object",
      properties: { price: { type: "number" } },
      required: ["name"],
      additionalProperties: false,
    };
    const schema = { type: "object", properties: { items: { type: "array", items: item } } };
    expect(await problems(schema, { items: [{ price: "x", canary: 1 }] })).toEqual([
      {
        inValue: "/items/0 must have required property 'name'",
        inSchema: "items must have required property 'name'",
      },
      {
        inValue: '/items/0 must NOT have additional properties: "canary"',
        inSchema: "items must NOT have additional properties",
      },
      { inValue: "/items/0/price must be number", inSchema: "items.price must be number" },
    ]);
  });

  test("that is entirely wrong is reported with only a few problems", async () => {
    const value = Array.from({ length: 1000 }, () => "x");
    expect((await problems({ type: "array", items: { type: "number" } }, value)).length).toBeLessThan(10);
  });
});

test("messages about a value are short, however long its names, paths and values are", async () => {
  const long = "x".repeat(50_000);
  const schema = {
    properties: { [long]: { enum: [long] }, a: { const: long } },
    required: [`r${long}`],
    additionalProperties: false,
  };
  const found = await problems(schema, { [long]: 1, a: 2, [`${long}y`]: 3 });
  expect(found).toHaveLength(4);
  for (const { inValue, inSchema } of found) {
    expect(inValue.length).toBeLessThanOrEqual(301);
    expect(inSchema.length).toBeLessThanOrEqual(301);
  }
  expect(found.map(({ inSchema }) => inSchema).join()).toContain('must be one of ["x');
});

test("messages about a schema are short", async () => {
  const failure: unknown = await checker
    .accept({ $ref: `#/$defs/${"x".repeat(50_000)}` }, NEVER)
    .catch((one: unknown) => one);
  expect(failure).toMatchObject({ failure: "BadRequest", message: expect.stringContaining("can't resolve") });
  expect(String(failure).length).toBeLessThan(1200);
});

describe("a schema is refused with a reason:", () => {
  test.each<[JsonSchema, string]>([
    [{ type: "decimal" }, "must be equal to one of the allowed values"],
    [{ $ref: "https://example.com/schema.json" }, "can't resolve reference https://example.com/schema.json"],
    [{ $ref: "#/$defs/missing" }, "can't resolve reference #/$defs/missing"],
    [{ pattern: "(" }, "Invalid regular expression"],
    [{ $schema: "http://json-schema.org/draft-04/schema#" }, "$schema must be one of"],
    [{ $schema: "toString" }, "$schema must be one of"],
    [{ $async: true, type: "object" }, "$async"],
  ])("%j, %s", async (schema, reason) => {
    await expect(checker.accept(schema, NEVER)).rejects.toMatchObject({
      failure: "BadRequest",
      message: expect.stringContaining(reason),
      errors: [{ path: "/responseFormat" }],
    });
  });
});

test("a thread's script is next to the file that starts it, both as source and compiled", () => {
  expect(threadScript("file:///a/checker.ts", "check-thread").href).toBe("file:///a/check-thread.ts");
  expect(threadScript("file:///dist/main.js", "check-thread").href).toBe("file:///dist/check-thread.js");
});

describe("no part of a schema or a value runs as code", () => {
  const ran = globalThis as { canary?: unknown };
  const STRINGS = ['\\"]);canary=1;//', "*/'+(canary=1)+'/*", "`${canary=1}`", "\u2028\n;canary=1//"];
  const KEYWORDS = [
    ..."$id $anchor $dynamicAnchor $dynamicRef $ref $comment type format pattern const enum required".split(" "),
    ..."minimum maximum multipleOf minLength maxItems minProperties uniqueItems nullable discriminator".split(" "),
    ..."dependentRequired dependencies default contentEncoding unevaluatedProperties minContains own".split(" "),
  ];

  test("including keywords that the meta-schema doesn't check", () => {
    for (const [index, keyword] of KEYWORDS.entries()) {
      // The quick test tries each keyword with one of the strings.
      for (const text of HAS_VARIANTS ? STRINGS : STRINGS.slice(index % STRINGS.length).slice(0, 1)) {
        // If a reference points to an unknown keyword, Ajv compiles its target unchecked by the meta-schema.
        for (const part of [{ [keyword]: text }, { [keyword]: { [text]: [text] } }]) {
          check({ $ref: "#/own", own: part }, JSON.stringify({ [text]: text }));
        }
      }
    }
    expect(ran.canary).toBeUndefined();
  });

  test("including the names of properties, patterns and definitions", () => {
    for (const text of STRINGS) {
      const schema = {
        $defs: { [text]: { type: "string" } },
        properties: { [text]: { $ref: `#/$defs/${encodeURIComponent(text.replaceAll("/", "~1"))}` } },
        patternProperties: { [text.replaceAll(/[^\w;=]/g, "\\$&")]: { minLength: 1 } },
        dependentSchemas: { [text]: { required: [text] } },
        dependentRequired: { [text]: [text, `${text}2`] },
        required: [text, `${text}3`],
        unevaluatedProperties: false,
        propertyNames: { enum: [text, `${text}4`] },
      };
      check(schema, JSON.stringify({ [text]: text, other: text }));
    }
    expect(ran.canary).toBeUndefined();
  });
});
