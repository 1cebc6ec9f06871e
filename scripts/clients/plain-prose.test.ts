import { expect, test } from "vitest";
import { contractWith } from "./go/contract.fixtures.ts";
import { toPlainProse } from "./plain-prose.ts";

const plain = (prose: string) =>
  toPlainProse(contractWith(), prose, ({ code, errorSchema }) => `<${errorSchema ?? code}>`);

test("each word in backticks is converted, and an error's name comes with its schema", () => {
  expect(plain("**Never** `null`, and 503 `Busy`.")).toBe("Never <null>, and 503 <BusyError>.");
});

test("each paragraph becomes one line, and sentences about the second spelling are removed", () => {
  expect(plain("One\ntwo. Each has another form, `x-alias`. Three.\n\n\nFour.\n")).toBe("One two. Three.\n\nFour.");
});
