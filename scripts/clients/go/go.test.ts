import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Contract } from "../../../openapi/scripts/contract.ts";
import { go } from "./go.ts";
import { isGenerated } from "../language.ts";

const contract = JSON.parse(
  readFileSync(new URL("../../../openapi/generated/openapi.json", import.meta.url), "utf8"),
) as Contract;

test("rendered files count as generated, and have Go's header for generated files", () => {
  for (const [path, text] of go.render(contract)) {
    expect(isGenerated(path)).toBe(true);
    expect(text).toMatch(/^\/\/ Code generated .* DO NOT EDIT\.$/m);
  }
});

test("only the core's Go files are kept", () => {
  expect(go.core?.place("client.go")).toBe("internal/generated/client.go");
  expect(go.core?.place("test/api_browser_test.go")).toBeUndefined();
  expect(go.core?.place("README.md")).toBeUndefined();
});
