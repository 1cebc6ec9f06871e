import { expect, test } from "vitest";
import { renderGoErrors } from "./errors.ts";
import { contractWith, errorSchema, object } from "./contract.fixtures.ts";

test("an error of the contract is a type that wraps an APIError, and is found by its name", () => {
  const text = renderGoErrors(contractWith());
  expect(text).toContain("// Nothing is free.\ntype BusyError struct {\n\t*APIError\n}");
  expect(text).toContain("func (e *BusyError) Unwrap() error { return e.APIError }");
  expect(text).toContain('\tcase "Busy":\n\t\treturn &BusyError{APIError: base}\n');
});

test("an error requires a retry rule, which is not rendered", () => {
  const text = renderGoErrors(contractWith({ NewError: errorSchema("New", 418, "It is new.") }));
  expect(text).toContain("var _ contractError = (*NewError)(nil)\n");
  expect(text).not.toMatch(/func .* retryRule\(/);
});

test("a list that only one error has becomes a field of it", () => {
  const Problem = object({ path: { type: "string", description: "Where." } });
  const errors = { type: "array", description: "What is wrong.", items: { $ref: "#/components/schemas/Problem" } };
  const BadError = object({ status: { const: 400 }, name: { const: "Bad" }, errors });
  const text = renderGoErrors(contractWith({ Problem, BadError }));
  expect(text).toContain("\t// What is wrong.\n\tErrors []Problem\n");
  expect(text).toContain("type Problem struct {\n\t// Where.\n\tPath string\n}");
  expect(text).toContain('for _, item := range readList[generated.Problem](said["errors"]) {\n');
  expect(text).toContain("failure.Errors = append(failure.Errors, Problem{Path: item.Path})");
});

test("there are no unused imports", () => {
  expect(renderGoErrors(contractWith())).not.toContain("import");
});

test("a list of anything but objects has no Go type yet, and is refused", () => {
  const errors = { type: "array", items: { type: "string" } };
  const BadError = object({ status: { const: 400 }, name: { const: "Bad" }, errors });
  expect(() => renderGoErrors(contractWith({ BadError }))).toThrow("elements of errors");
});
