import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { redocly } from "../scripts/redocly.ts";
import { operations } from "../generated/operations.ts";
import { readContract, ROOT } from "./read-contract.ts";

/**
 * A file, a replacement that introduces a fault, and the rule that must report the fault. The text to replace occurs at
 * least once.
 */
const FAULTS = [
  ["rule/operation-id", "paths/Browser/Close.yaml", "operationId: closeBrowser", "operationId: close_browser"],
  ["rule/no-default", "schemas/OpenOptions.yaml", "format: double\n", "format: double\n    default: 30\n"],
  [
    "rule/no-additional-properties",
    "schemas/CloseResult.yaml",
    "properties:",
    "additionalProperties: true\nproperties:",
  ],
  ["contract/aliases", "schemas/OpenOptions.yaml", "x-alias: stealth", "x-alias: Stealth"],
  ["contract/body-limits", "paths/Ai/Query.yaml", "x-max-body-bytes: 4194304", "x-max-body-kilobytes: 4096"],
  ["contract/common-answers", "paths/Ai/Query.yaml", '"429":', '"428":'],
  ["contract/double-numbers", "schemas/OpenOptions.yaml", "    format: double\n", ""],
  ["contract/error-schemas", "schemas/errors.yaml", "      const: BrowserLimit\n", "      minLength: 1\n"],
  ["contract/error-schemas", "schemas/errors.yaml", "      const: PayloadTooLarge\n", "      const: TooLarge\n"],
  ["contract/every-example", "paths/Ai/Query.yaml", "          summary: Any JSON\n", ""],
  ["contract/exact-statuses", "schemas/errors.yaml", "const: 402", "const: 403"],
  ["contract/exact-statuses", "schemas/errors.yaml", "const: 413", "const: 414"],
  ["contract/exact-statuses", "paths/Browser/Open.yaml", '"402":', '"4XX":'],
  ["contract/hints", "schemas/OpenOptions.yaml", "    - The default is 30.\n", "    - The default is 60.\n"],
  ["contract/hints", "schemas/OpenOptions.yaml", "      - The default is `true`.\n", ""],
  ["contract/hints", "schemas/Proxy.yaml", "    x-hint:\n      - Name or address of the proxy.\n", ""],
  ["no-invalid-media-type-examples", "paths/Browser/Open.yaml", "KeepOpen: 2.5", "KeepOpen: -2.5"],
  ["response-contains-header", "components/responses.yaml", "    WWW-Authenticate:\n", "    Authenticate:\n"],
] as const;

/** The hand-written files of the contract. */
const SOURCES = ["openapi.yaml", "introduction.md", "paths", "schemas", "components"];

/** The violated rules for each faulty copy of the contract and, last, for the unmodified contract. */
let violated: readonly (readonly string[])[];

/** Lints all copies in one run, because each Redocly run takes a second to start. */
beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), "lint-"));
  try {
    const copies = [...FAULTS, undefined].map((fault, index) => ({ fault, copy: join(folder, String(index)) }));
    for (const { fault, copy } of copies) await copyContract(copy, fault);
    const roots = copies.map(({ copy }) => join(copy, "openapi.yaml"));
    const { stdout } = await redocly("lint", ...roots, "--config", "redocly.yaml", "--format", "json");
    // Redocly prints the JSON documents without separators.
    const documents = stdout.trim().split(/(?<=^\})(?=\{)/m);
    violated = documents.map((text) => {
      const { problems } = JSON.parse(text) as { problems: { ruleId: string }[] };
      return problems.map(({ ruleId }) => ruleId);
    });
  } finally {
    await rm(folder, { recursive: true });
  }
});

async function copyContract(copy: string, fault: (typeof FAULTS)[number] | undefined): Promise<void> {
  for (const source of SOURCES) await cp(join(ROOT, source), join(copy, source), { recursive: true });
  if (fault === undefined) return;
  const [, file, sound, broken] = fault;
  const text = await readFile(join(copy, file), "utf8");
  expect(text).toContain(sound);
  await writeFile(join(copy, file), text.replace(sound, broken));
}

test("the contract violates no rule", () => {
  expect(violated).toHaveLength(FAULTS.length + 1);
  expect(violated.at(-1)).toEqual([]);
});

test.each(FAULTS.map((fault, index) => [...fault, index] as const))(
  "%s reports a change of %s: %j to %j",
  (rule, _file, _sound, _broken, index) => {
    expect(violated[index]).toContain(rule);
  },
);

test("every file and every component of the source is in the bundle", async () => {
  const { components } = readContract();
  const bundled = Object.values(components).flatMap((each) => Object.keys(each));
  const keysIn = async (file: string) =>
    [...(await readFile(join(ROOT, file), "utf8")).matchAll(/^([\w-]+):/gm)].map(([, key]) => key);
  const schemas = (await readdir(join(ROOT, "schemas"))).filter((file) => file !== "errors.yaml");
  const shared = await readdir(join(ROOT, "components"));
  const named = await Promise.all(["schemas/errors.yaml", ...shared.map((file) => `components/${file}`)].map(keysIn));
  const expected = ["bearerAuth", ...schemas.map((file) => file.replace(".yaml", "")), ...named.flat()];
  expect(new Set(bundled)).toEqual(new Set(expected));
  const paths = (await readdir(join(ROOT, "paths"), { recursive: true })).filter((file) => file.endsWith(".yaml"));
  expect(paths).toHaveLength(Object.keys(operations).length);
});
