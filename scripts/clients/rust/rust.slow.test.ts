import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { Contract } from "../../../openapi/scripts/contract.ts";
import { forGenerators } from "../../../openapi/scripts/for-generators.ts";
import { readRequiredMembers } from "../../../openapi/scripts/required-members.ts";
import { whyMissing } from "../../setup/toolchains.ts";
import { runGenerator } from "../openapi-generator.ts";
import { findLosses } from "./find-losses.ts";

const SETTINGS = "scripts/clients/rust/openapi-generator.yaml";
const BUNDLE = new URL("../../../openapi/generated/openapi.json", import.meta.url);
const LOCK = join(import.meta.dirname, "Cargo.lock");
/** All checks share this folder, so that dependencies are compiled once. */
const COMPILED = join(import.meta.dirname, "../../../node_modules/.cache/rust");

const missing = (["java", "rust"] as const).flatMap((toolchain) => whyMissing(toolchain, "") ?? []);
const here = missing.length === 0 ? "" : ` (${missing.join(", ")})`;

type Members = Record<string, { readonly "x-alias"?: string }>;

/** Edits the contract and generates a Rust client from it. */
async function generate(change: (members: (schema: string) => Members) => void) {
  const contract = forGenerators(JSON.parse(readFileSync(BUNDLE, "utf8")) as Contract, readRequiredMembers());
  change((schema) => contract.components.schemas[schema]?.properties as Members);
  const crates = await runGenerator([SETTINGS], contract);
  return { contract, crate: crates.get(SETTINGS) ?? new Map<string, string>() };
}

test.skipIf(missing.length > 0)(`the contract's Rust client compiles and is complete${here}`, async () => {
  const { contract, crate } = await generate(() => {});
  expect(cargoCheck(crate)).toBe("");
  expect(findLosses(contract, crate)).toStrictEqual([]);
});

test.skipIf(missing.length > 0)(`an option with both spellings does not compile in Rust${here}`, async () => {
  const { crate } = await generate((members) => {
    const options = members("OpenOptions");
    for (const [name, option] of Object.entries(options)) options[option["x-alias"] ?? name] = option;
  });
  expect(cargoCheck(crate)).toContain("field `keep_open` is already declared");
});

test.skipIf(missing.length > 0)(`a union of a string and an object is lost in Rust${here}`, async () => {
  const { contract, crate } = await generate((members) => {
    Object.assign(members("QueryRequest"), { responseFormat: { anyOf: [{ type: "string" }, { type: "object" }] } });
  });
  expect(findLosses(contract, crate)).toContain(
    "The struct QueryRequestResponseFormat has no fields, so it can't hold any data.",
  );
});

/**
 * Runs `cargo check` on a crate, with the dependencies that Cargo.lock pins.
 * @param files The crate's files, by path.
 * @returns The compiler's errors. Empty if there are none.
 */
function cargoCheck(files: ReadonlyMap<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), "crate-"));
  try {
    for (const [path, text] of [...files, ["Cargo.lock", readFileSync(LOCK, "utf8")] as const]) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    // The default features include TLS, which requires a system library.
    const args = ["check", "--quiet", "--locked", "--no-default-features", "--target-dir", COMPILED];
    const { status, stderr, error } = spawnSync("cargo", args, { cwd: folder, encoding: "utf8" });
    if (error !== undefined) throw error;
    return status === 0 ? "" : stderr.replaceAll(folder, "");
  } finally {
    rmSync(folder, { recursive: true });
  }
}
