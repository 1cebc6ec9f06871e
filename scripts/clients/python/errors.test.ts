import { expect, test } from "vitest";
import { renderErrors } from "./errors.ts";
import { contractOf, errorSchema } from "./contract.fixtures.ts";

test("each error is a class of its schema's name, found by its own name", () => {
  const text = renderErrors(contractOf({ NoUnitsError: errorSchema("NoUnits", 403) }));
  expect(text).toContain('ErrorName = Literal[\n    "NoUnits",\n]');
  expect(text).toContain(
    'class NoUnitsError(ApiError):\n    """What NoUnits means.\n\n    HTTP status 403, name "NoUnits".\n    """\n',
  );
  expect(text).toContain('    "NoUnits": NoUnitsError,\n');
  expect(text).toContain('__all__ = [\n    "ErrorName",\n    "NoUnitsError",\n]');
});

test("an error without its own status has the HTTP status 500", () => {
  expect(renderErrors(contractOf({ UnknownError: errorSchema("Unknown", 0) }))).toContain("HTTP status 500");
});

test("a member that only one error has is a property of its class", () => {
  const items = { $ref: "#/components/schemas/Problem" };
  const problems = { wrongPlaces: { type: "array", items, description: "Where." } };
  const text = renderErrors(contractOf({ BadError: errorSchema("Bad", 400, problems) }));
  expect(text).toContain("from remote_browser._generated import Problem\n");
  expect(text).toContain('    @property\n    def wrong_places(self) -> list[Problem]:\n        """Where."""\n');
  expect(text).toContain('return self._read("wrongPlaces", TypeAdapter(list[Problem]), [])\n');
});

test("a member that only one error has must be a list", () => {
  const contract = contractOf({ BadError: errorSchema("Bad", 400, { wrongPlace: { type: "string" } }) });
  expect(() => renderErrors(contract)).toThrow("wrongPlace is not a list");
});

test("only errors have classes", () => {
  expect(renderErrors(contractOf({ OpenResult: { properties: { status: { const: 200 } } } }))).not.toContain(
    "OpenResult",
  );
});
