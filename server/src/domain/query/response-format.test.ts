import { describe, expect, test } from "vitest";
import { readResponseFormat } from "./response-format.ts";

describe("a response format", () => {
  test("is text by default", () => {
    expect(readResponseFormat(undefined)).toEqual({ kind: "text" });
    expect(readResponseFormat("text")).toEqual({ kind: "text" });
  });

  test("is json or a schema whose root may have any type", () => {
    expect(readResponseFormat("json")).toEqual({ kind: "json" });
    for (const schema of [{ type: "number" }, { type: "object" }, {}, true, false]) {
      expect(readResponseFormat(JSON.stringify(schema))).toEqual({ kind: "schema", schema });
    }
  });

  test.each(["xml", "Text", " json", "", "[]", "null", "3", '"text"', "{type: number}", '{"type":'])(
    "is not %j",
    (text) => {
      expect(() => readResponseFormat(text)).toThrow(
        expect.objectContaining({
          failure: "BadRequest",
          errors: [{ path: "/responseFormat", message: expect.stringContaining("JSON Schema as JSON text") }],
        }),
      );
    },
  );

  test("has a maximum length and depth", () => {
    const nested = (levels: number): string => `${'{"not":'.repeat(levels)}{}${"}".repeat(levels)}`;
    expect(readResponseFormat(nested(63)).kind).toBe("schema");
    expect(() => readResponseFormat(nested(64))).toThrow("at most 64 levels deep");
    expect(() => readResponseFormat("[".repeat(60_000))).toThrow("must be");
    expect(readResponseFormat(`{"title":"${"x".repeat(60_000)}"}`).kind).toBe("schema");
    expect(() => readResponseFormat(`{"title":"${"x".repeat(65_536)}"}`)).toThrow("at most 65536 characters");
  });
});
