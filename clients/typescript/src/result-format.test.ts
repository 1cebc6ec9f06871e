import { expect, test } from "vitest";
import { z } from "zod";
import { InvalidAnswerError } from "./remote-browser-error.ts";
import { readResult, writeFormat } from "./result-format.ts";

const Product = z.object({ product: z.string(), price: z.number() });

test("a typed schema is sent as the JSON Schema of its input", () => {
  expect(JSON.parse(writeFormat(Product))).toMatchObject({
    type: "object",
    properties: { product: { type: "string" }, price: { type: "number" } },
    required: ["product", "price"],
  });
  expect(JSON.parse(writeFormat(z.string().transform(Number)))).toMatchObject({ type: "string" });
});

test("a JSON Schema is sent unchanged", () => {
  expect(writeFormat({ type: "number" })).toBe('{"type":"number"}');
});

test("a value that doesn't match the schema is rejected, and the error shows the path but not the value", async () => {
  const answer = { status: 200, response: "", value: { product: "secret", price: "secret" } } as const;
  const reading = readResult(Product, answer);
  await expect(reading).rejects.toThrow(InvalidAnswerError);
  await expect(reading).rejects.toThrow("The value doesn't match the schema: price is string.");
  await expect(reading).rejects.not.toThrow(/secret/);
});

test("the error for a mismatch shows only the path and type, even if the library's message quotes the value", async () => {
  const quoting = z.array(
    z.object({ a: z.string().refine(() => false, { error: ({ input }) => `no ${String(input)}` }) }),
  );
  const answer = { status: 200, response: "", value: [{ a: "secret" }] } as const;
  await expect(readResult(quoting, answer)).rejects.toThrow(/schema: 0\.a is string\.$/);
  await expect(readResult(z.number(), answer)).rejects.toThrow(/schema: it is array\.$/);
  await expect(readResult(Product, { ...answer, value: {} })).rejects.toThrow("product is missing, price is missing");
});

test("null is a valid value, but a missing value is an error", async () => {
  expect(await readResult("json", { status: 200, response: "null", value: null })).toBeNull();
  expect(await readResult(z.null(), { status: 200, response: "null", value: null })).toBeNull();
  await expect(readResult("json", { status: 200, response: "1" })).rejects.toThrow(InvalidAnswerError);
  await expect(readResult(z.any(), { status: 200, response: "1" })).rejects.toThrow(InvalidAnswerError);
  await expect(readResult({}, { status: 200, response: "1" })).rejects.toThrow("has no value");
});

test("an invalid format is rejected", () => {
  expect(() => writeFormat("jsno" as never)).toThrow('The format is "jsno"');
  expect(() => writeFormat([] as never)).toThrow("The format is []");
  expect(() => writeFormat({ "~standard": { vendor: "older" } } as never)).toThrow(
    "A schema from older can't convert itself to JSON Schema",
  );
});
