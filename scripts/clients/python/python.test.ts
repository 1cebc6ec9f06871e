import { expect, test } from "vitest";
import type { Contract } from "../../../openapi/scripts/contract.ts";
import { renderPythonAnswers } from "./answers.ts";
import { renderPythonErrors } from "./errors.ts";
import { renderPythonOptions } from "./options.ts";
import { toDocstring } from "./source.ts";

/** A contract with only the parts that the Python renderers read. */
function contractOf(schemas: Readonly<Record<string, object>>): Contract {
  return {
    info: { summary: "", description: "" },
    paths: {},
    components: { schemas, responses: {}, requestBodies: {} },
    "x-answers-of-other-requests": {},
  };
}

/** An error schema with a constant name and status. */
function errorSchema(name: string, status: number, others: object = {}): object {
  const properties = { status: { const: status }, name: { const: name }, message: {}, requestId: {}, ...others };
  return { description: `What ${name} means.`, properties };
}

const ANSWER_KIND = {
  type: "integer",
  enum: [0, 2],
  "x-enum-varnames": ["Chrome", "Chromium"],
  description: "Which kind.",
};
const ADDRESS = { type: "string", pattern: "^ws", description: "Where." };

function renderAnswer(properties: object, required: readonly string[] = Object.keys(properties)): string {
  const Session = { description: "An open browser.", properties, required };
  return renderPythonAnswers(contractOf({ Session, Kind: ANSWER_KIND, Address: ADDRESS }));
}

test("a response is a frozen dataclass with the contract's descriptions", () => {
  const text = renderAnswer({ startedOn: { type: "string", format: "date-time", description: "When." } });
  expect(text).toContain('@dataclass(frozen=True)\nclass Session:\n    """An open browser."""\n');
  expect(text).toContain('    started_on: datetime\n    """When."""\n');
});

test("secrets are not printed", () => {
  const text = renderAnswer({ address: { anyOf: [{ $ref: "#/components/schemas/Address" }, { type: "null" }] } });
  expect(text).toContain("    address: str | None = field(repr=False)\n");
});

test("a member that earlier versions don't send may be missing", () => {
  const text = renderAnswer({ tags: { type: "array", items: { type: "string" }, description: "Which." } }, []);
  expect(text).toContain("    tags: list[str] | None = None\n");
  expect(text).toContain("do not send it: it is then `None`.");
});

test("a Base64 member becomes bytes", () => {
  const text = renderAnswer({ image: { type: "string", format: "byte", description: "In Base64." } });
  expect(text).toContain("    image: bytes = field(repr=False)\n");
  expect(text).toContain("The client decodes it");
});

test("a member's numeric enum is imported from the core", () => {
  const text = renderAnswer({ browser: { $ref: "#/components/schemas/Kind" } });
  expect(text).toContain("from remote_browser._generated.core import Kind\n");
  expect(text).toContain('    browser: Kind\n    """Which kind."""\n');
});

const PROXY = { properties: { Port: { type: "string", "x-alias": "port" } }, required: ["Port"] };
const KIND = { type: "integer", enum: [0, 2], "x-enum-varnames": ["Chrome", "Chromium"] };

function renderOption(properties: object): string {
  return renderPythonOptions(contractOf({ OpenOptions: { properties }, Proxy: PROXY, Kind: KIND }));
}

test("an option is a snake_case key, followed by the contract's description", () => {
  const text = renderOption({
    KeepOpen: { type: ["number", "null"], description: "In **seconds**.", "x-alias": "keepOpen" },
  });
  expect(text).toContain('    keep_open: NotRequired[float | None]\n    """In seconds."""\n');
});

test("help() shows a docstring that lists each option's type and hint", () => {
  const description = "For how many **seconds**. Not counted\n  while used. The default is `null`.\n\nMore.";
  const text = renderOption({
    KeepOpen: {
      type: ["number", "null"],
      description,
      "x-alias": "keepOpen",
      "x-hint": ["For how many **seconds**.", "The default is `null`."],
    },
    Kind: {
      $ref: "#/components/schemas/Kind",
      description: "Which kind.",
      "x-alias": "kind",
      "x-hint": ["Which kind."],
    },
  });
  expect(text).toContain("`keep_open` (float): For how many seconds. The default is `None`.\n");
  expect(text).toContain("    `kind` (Kind.Chrome, Kind.Chromium): Which kind.\n");
});

test("a required member isn't marked NotRequired", () => {
  const proxy = { anyOf: [{ $ref: "#/components/schemas/Proxy" }, { type: "null" }], "x-alias": "proxy" };
  const text = renderOption({ Proxy: proxy });
  expect(text).toContain("    port: str\n");
  expect(text).toContain("    proxy: NotRequired[Proxy | None]\n");
  expect(text.indexOf("class Proxy(")).toBeLessThan(text.indexOf("class OpenOptions("));
});

test("a member's numeric enum is imported from the core", () => {
  const text = renderOption({ Kind: { $ref: "#/components/schemas/Kind", "x-alias": "kind" } });
  expect(text).toContain("from remote_browser._generated.core import Kind\n");
  expect(text).toContain("    kind: NotRequired[Kind]\n");
});

test("without numeric enums, nothing is imported from the core", () => {
  expect(renderOption({})).not.toContain("remote_browser._generated.core import");
});

test("an option of an unsupported type is refused", () => {
  expect(() => renderOption({ Odd: { type: "object", "x-alias": "odd" } })).toThrow("the type object");
  expect(() => renderOption({ Odd: { type: "string" } })).toThrow("OpenOptions.Odd has no camelCase form");
  expect(() => renderOption({ Odd: { "x-alias": "odd" } })).toThrow("without a type");
});

test("an error's class is named after its schema and selected by the error's name", () => {
  const text = renderPythonErrors(contractOf({ NoUnitsError: errorSchema("NoUnits", 403) }));
  expect(text).toContain('ErrorName = Literal[\n    "NoUnits",\n]');
  expect(text).toContain(
    'class NoUnitsError(ApiError):\n    """What NoUnits means.\n\n    HTTP status 403, name "NoUnits".\n    """\n',
  );
  expect(text).toContain('    "NoUnits": NoUnitsError,\n');
  expect(text).toContain('__all__ = [\n    "ErrorName",\n    "NoUnitsError",\n]');
});

test("the unexpected error has the HTTP status 500", () => {
  expect(renderPythonErrors(contractOf({ UnknownError: errorSchema("Unknown", 0) }))).toContain("HTTP status 500");
});

test("a member specific to an error is a property of the error's class", () => {
  const items = { $ref: "#/components/schemas/Problem" };
  const problems = { wrongPlaces: { type: "array", items, description: "Where." } };
  const text = renderPythonErrors(contractOf({ BadError: errorSchema("Bad", 400, problems) }));
  expect(text).toContain("from remote_browser._generated.core import Problem\n");
  expect(text).toContain('    @property\n    def wrong_places(self) -> list[Problem]:\n        """Where."""\n');
  expect(text).toContain('return self._read("wrongPlaces", TypeAdapter(list[Problem]), [])\n');
});

test("an error's own member must be a list", () => {
  const contract = contractOf({ BadError: errorSchema("Bad", 400, { wrongPlace: { type: "string" } }) });
  expect(() => renderPythonErrors(contract)).toThrow("wrongPlace is not a list");
});

test("only error schemas have classes", () => {
  expect(renderPythonErrors(contractOf({ OpenResult: { properties: { status: { const: 200 } } } }))).not.toContain(
    "OpenResult",
  );
});

const contract = contractOf({ NoUnitsError: errorSchema("NoUnits", 403) });
const docstring = (prose: string) => toDocstring(contract, prose, "    ");

test("JSON literals become Python literals, and error names become class names", () => {
  expect(docstring("`null`, `true` or **`false`**: a `NoUnits`.")).toBe(
    '"""`None`, `True` or `False`: a `NoUnitsError`."""',
  );
});

test("sentences about x-alias are removed", () => {
  expect(docstring("All may be left out. Each has a camelCase form,\nnamed by `x-alias`.\n")).toBe(
    '"""All may be left out."""',
  );
});

test("long prose is wrapped, and paragraphs remain separate", () => {
  const lines = docstring(`${"word ".repeat(40)}\n\nMore.`).split("\n");
  expect(lines.length).toBe(6);
  expect(lines.every((line) => line.length <= 100)).toBe(true);
  expect(lines.slice(-3)).toEqual(["", "    More.", '    """']);
});

test("prose can't terminate the docstring, and its backslashes are literal", () => {
  expect(docstring(String.raw`A \n and """.`)).toBe(String.raw`"""A \\n and \"\"\"."""`);
  expect(docstring('Called "it"')).toBe('"""Called "it"\n    """');
});
