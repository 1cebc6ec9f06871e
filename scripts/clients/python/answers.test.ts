import { expect, test } from "vitest";
import { renderAnswers } from "./answers.ts";
import { contractOf } from "./contract.fixtures.ts";

const KIND = { type: "integer", enum: [0, 2], "x-enum-varnames": ["Chrome", "Chromium"], description: "Which kind." };
const ADDRESS = { type: "string", pattern: "^ws", description: "Where." };

function render(properties: object, required: readonly string[] = Object.keys(properties)): string {
  const Session = { description: "An open browser.", properties, required };
  return renderAnswers(contractOf({ Session, Kind: KIND, Address: ADDRESS }));
}

test("a response is a frozen dataclass with the contract's descriptions", () => {
  const text = render({ startedOn: { type: "string", format: "date-time", description: "When." } });
  expect(text).toContain('@dataclass(frozen=True)\nclass Session:\n    """An open browser."""\n');
  expect(text).toContain('    started_on: datetime\n    """When."""\n');
});

test("secrets are not printed", () => {
  const text = render({ address: { anyOf: [{ $ref: "#/components/schemas/Address" }, { type: "null" }] } });
  expect(text).toContain("    address: str | None = field(repr=False)\n");
});

test("a member that earlier versions don't have may be missing", () => {
  const text = render({ tags: { type: "array", items: { type: "string" }, description: "Which." } }, []);
  expect(text).toContain("    tags: list[str] | None = None\n");
  expect(text).toContain("does not send it, and then it is `None`.");
});

test("a member in Base64 is bytes", () => {
  const text = render({ image: { type: "string", format: "byte", description: "In Base64." } });
  expect(text).toContain("    image: bytes = field(repr=False)\n");
  expect(text).toContain("The client decodes it");
});

test("an enum of numbers is the core's enumeration", () => {
  const text = render({ browser: { $ref: "#/components/schemas/Kind" } });
  expect(text).toContain("from remote_browser._generated import Kind\n");
  expect(text).toContain('    browser: Kind\n    """Which kind."""\n');
});
