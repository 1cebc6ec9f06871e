import { expect, test } from "vitest";
import { toDocstring } from "./prose.ts";
import { contractOf, errorSchema } from "./contract.fixtures.ts";

const contract = contractOf({ NoUnitsError: errorSchema("NoUnits", 403) });
const docstring = (prose: string) => toDocstring(contract, prose, "    ");

test("JSON's words become Python's, and an error's name becomes its class", () => {
  expect(docstring("`null`, `true` or **`false`**: a `NoUnits`.")).toBe(
    '"""`None`, `True` or `False`: a `NoUnitsError`."""',
  );
});

test("sentences about the second spelling are removed", () => {
  expect(docstring("All may be left out. Each has a camelCase form,\nnamed by `x-alias`.\n")).toBe(
    '"""All may be left out."""',
  );
});

test("long prose is wrapped again, and paragraphs are kept", () => {
  const lines = docstring(`${"word ".repeat(40)}\n\nMore.`).split("\n");
  expect(lines.length).toBe(6);
  expect(lines.every((line) => line.length <= 100)).toBe(true);
  expect(lines.slice(-3)).toEqual(["", "    More.", '    """']);
});

test("prose can't end the docstring, and its escapes are literal", () => {
  expect(docstring(String.raw`A \n and """.`)).toBe(String.raw`"""A \\n and \"\"\"."""`);
  expect(docstring('Called "it"')).toBe('"""Called "it"\n    """');
});
