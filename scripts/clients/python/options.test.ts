import { expect, test } from "vitest";
import { renderOptions } from "./options.ts";
import { contractOf } from "./contract.fixtures.ts";

const PROXY = { properties: { Port: { type: "string", "x-alias": "port" } }, required: ["Port"] };
const KIND = { type: "integer", enum: [0, 2], "x-enum-varnames": ["Chrome", "Chromium"] };

function render(properties: object): string {
  return renderOptions(contractOf({ OpenOptions: { properties }, Proxy: PROXY, Kind: KIND }));
}

test("an option is a keyword in Python's spelling, followed by the contract's description", () => {
  const text = render({
    KeepOpen: { type: ["number", "null"], description: "In **seconds**.", "x-alias": "keepOpen" },
  });
  expect(text).toContain('    keep_open: NotRequired[float | None]\n    """In seconds."""\n');
});

test("the docstring of the options, which help() shows, has each one's type and hint", () => {
  const description = "For how many **seconds**. Not counted\n  while used. The default is `null`.\n\nMore.";
  const text = render({
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

test("a required member has no NotRequired", () => {
  const proxy = { anyOf: [{ $ref: "#/components/schemas/Proxy" }, { type: "null" }], "x-alias": "proxy" };
  const text = render({ Proxy: proxy });
  expect(text).toContain("    port: str\n");
  expect(text).toContain("    proxy: NotRequired[Proxy | None]\n");
  expect(text.indexOf("class Proxy(")).toBeLessThan(text.indexOf("class OpenOptions("));
});

test("an enum of numbers is the core's enumeration", () => {
  const text = render({ Kind: { $ref: "#/components/schemas/Kind", "x-alias": "kind" } });
  expect(text).toContain("from remote_browser._generated import Kind\n");
  expect(text).toContain("    kind: NotRequired[Kind]\n");
});

test("without an enum of numbers, no enumeration is imported", () => {
  expect(render({})).not.toContain("remote_browser._generated import");
});

test("an option of an unsupported type is refused", () => {
  expect(() => render({ Odd: { type: "object", "x-alias": "odd" } })).toThrow("the type object");
  expect(() => render({ Odd: { type: "string" } })).toThrow("OpenOptions.Odd has no camelCase form");
  expect(() => render({ Odd: { "x-alias": "odd" } })).toThrow("without a type");
});
