import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Contract } from "../../../openapi/scripts/contract.ts";
import { forGenerators } from "../../../openapi/scripts/for-generators.ts";
import { readRequiredMembers } from "../../../openapi/scripts/required-members.ts";
import { whyMissing } from "../../toolchains/why-missing.ts";
import { runGenerator } from "../openapi-generator.ts";
import { cargoCheck } from "./cargo-check.ts";
import { findLosses } from "./find-losses.ts";

const SETTINGS = "scripts/clients/rust/openapi-generator.yaml";
const BUNDLE = new URL("../../../openapi/generated/openapi.json", import.meta.url);

const missing = (["java", "rust"] as const).flatMap((toolchain) => whyMissing(toolchain, "") ?? []);
const here = missing.length === 0 ? "" : ` (${missing.join(", ")})`;

type Members = Record<string, { readonly "x-alias"?: string }>;

/** Generates the Rust client of a changed contract. */
async function generate(change: (members: (schema: string) => Members) => void) {
  const contract = forGenerators(JSON.parse(readFileSync(BUNDLE, "utf8")) as Contract, readRequiredMembers());
  change((schema) => contract.components.schemas[schema]?.properties as Members);
  return { contract, crate: await runGenerator(SETTINGS, contract) };
}

test.skipIf(missing.length > 0)(`a Rust client of the contract compiles, and is complete${here}`, async () => {
  const { contract, crate } = await generate(() => {});
  expect(cargoCheck(crate)).toBe("");
  expect(findLosses(contract, crate)).toStrictEqual([]);
});

test.skipIf(missing.length > 0)(`an option in both spellings does not compile in Rust${here}`, async () => {
  const { crate } = await generate((members) => {
    const options = members("OpenOptions");
    for (const [name, option] of Object.entries(options)) options[option["x-alias"] ?? name] = option;
  });
  expect(cargoCheck(crate)).toContain("field `keep_open` is already declared");
});

test.skipIf(missing.length > 0)(`a union of text and object is lost in Rust${here}`, async () => {
  const { contract, crate } = await generate((members) => {
    Object.assign(members("QueryRequest"), { responseFormat: { anyOf: [{ type: "string" }, { type: "object" }] } });
  });
  expect(findLosses(contract, crate)).toContain(
    "The struct QueryRequestResponseFormat has no field, so it can hold nothing.",
  );
});
