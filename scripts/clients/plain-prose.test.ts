import { expect, test } from "vitest";
import { contractWith } from "./go/contract.fixtures.ts";
import { toPlainProse } from "./plain-prose.ts";

const plain = (prose: string) =>
  toPlainProse(contractWith(), prose, ({ code, errorSchema }) => `<${errorSchema ?? code}>`);

test("each word of code is the language's own, an error's with its schema", () => {
  expect(plain("**Never** `null`, and 503 `Busy`.")).toBe("Never <null>, and 503 <BusyError>.");
});

test("a paragraph is a line, and what is said of the second spelling is left out", () => {
  expect(plain("One\ntwo. Each has another form, `x-alias`. Three.\n\n\nFour.\n")).toBe("One two. Three.\n\nFour.");
});
