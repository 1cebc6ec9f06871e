import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { redocly } from "../scripts/redocly.ts";
import { readText } from "./read-contract.ts";

/**
 * A replacement that breaks a copy of the contract, and the rule that must report it. The first text occurs at least
 * once.
 */
const FAULTS = [
  ["rule/operation-id", "operationId: closeBrowser\n      tags", "operationId: close_browser\n      tags"],
  ["rule/no-default", "format: double\n", "format: double\n          default: 30\n"],
  ["rule/no-additional-properties", "    CloseResult:\n", "    CloseResult:\n      additionalProperties: true\n"],
  ["contract/aliases", "x-alias: stealth", "x-alias: Stealth"],
  ["contract/body-limits", "x-max-body-bytes: 4194304", "x-max-body-kilobytes: 4096"],
  ["contract/common-answers", '"429":', '"428":'],
  [
    "contract/double-numbers",
    '- number\n            - "null"\n          format: double',
    '- number\n            - "null"',
  ],
  ["contract/error-schemas", "          const: BrowserLimit\n", "          minLength: 1\n"],
  ["contract/every-example", "                summary: Any JSON\n", ""],
  ["contract/exact-statuses", "const: 402", "const: 403"],
  ["contract/exact-statuses", '"402":', '"4XX":'],
  ["no-invalid-media-type-examples", "KeepOpen: 2.5", "KeepOpen: -2.5"],
  ["no-unused-components", "x-answers-of-other-requests:", "x-nothing:"],
  ["response-contains-header", "        WWW-Authenticate:\n          $ref", "        Authenticate:\n          $ref"],
] as const;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "lint-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function brokenRules(contract: string, name: string): Promise<string[]> {
  const file = join(folder, name);
  await writeFile(file, contract);
  const { stdout } = await redocly("lint", file, "--config", "redocly.yaml", "--format", "json");
  const { problems } = JSON.parse(stdout) as { problems: { ruleId: string }[] };
  return problems.map(({ ruleId }) => ruleId);
}

test("the contract violates no rule", async () => {
  expect(await brokenRules(readText("openapi.yaml"), "sound.yaml")).toEqual([]);
});

test.each(FAULTS)("%s reports a change of %j to %j", async (rule, sound, broken) => {
  const contract = readText("openapi.yaml");
  expect(contract).toContain(sound);
  expect(await brokenRules(contract.replace(sound, broken), "broken.yaml")).toContain(rule);
});
