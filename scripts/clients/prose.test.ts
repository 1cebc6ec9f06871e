import { expect, test } from "vitest";
import type { Contract } from "../../openapi/scripts/contract.ts";
import { toPlainProse } from "./prose.ts";

const BusyError = { type: "object", properties: { status: { const: 503 }, name: { const: "Busy" } } };
const contract = { components: { schemas: { BusyError } } } as unknown as Contract;

const plain = (prose: string) => toPlainProse(contract, prose, ({ code, errorSchema }) => `<${errorSchema ?? code}>`);

test("words between backticks are converted, and error names include their schemas", () => {
  expect(plain("**Never** `null`, and 503 `Busy`.")).toBe("Never <null>, and 503 <BusyError>.");
});

test("each paragraph becomes one line, and sentences about x-alias are removed", () => {
  expect(plain("One\ntwo. Each has another form, `x-alias`. Three.\n\n\nFour.\n")).toBe("One two. Three.\n\nFour.");
});
