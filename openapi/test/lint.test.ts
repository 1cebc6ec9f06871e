import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { redocly } from "../scripts/redocly.ts";
import { operations } from "../generated/operations.ts";
import { readContract, ROOT } from "./read-contract.ts";

/**
 * The rule that must report the fault, a file, a replacement that introduces the fault, and other rules that report it
 * too. The text to replace occurs at least once.
 */
type Fault = readonly [rule: string, file: string, sound: string, broken: string, ...also: string[]];

const EXAMPLES = "no-invalid-media-type-examples";
const FAULTS: readonly Fault[] = [
  ["rule/operation-id", "paths/Browser/Close.yaml", "operationId: closeBrowser", "operationId: close_browser"],
  ["rule/no-default", "schemas/OpenOptions.yaml", "format: double\n", "format: double\n    default: 30\n"],
  [
    "rule/no-additional-properties",
    "schemas/CloseResult.yaml",
    "properties:",
    "additionalProperties: true\nproperties:",
  ],
  ["contract/aliases", "schemas/OpenOptions.yaml", "x-alias: stealth", "x-alias: Stealth"],
  ["contract/bodies", "paths/Browser/ScreenshotImage.yaml", "format: binary", "format: byte"],
  ["contract/body-limits", "paths/Ai/Query.yaml", "x-max-body-bytes: 4194304", "x-max-body-kilobytes: 4096"],
  ["contract/common-answers", "paths/Ai/Query.yaml", '"429":', '"428":', "contract/exact-statuses"],
  ["contract/double-numbers", "schemas/OpenOptions.yaml", "    format: double\n", ""],
  ["contract/error-schemas", "schemas/errors.yaml", "      const: BrowserLimit\n", "      minLength: 1\n"],
  [
    "contract/error-schemas",
    "schemas/errors.yaml",
    "      const: PayloadTooLarge\n",
    "      const: TooLarge\n",
    EXAMPLES,
  ],
  ["contract/every-example", "paths/Ai/Query.yaml", "          summary: Any JSON\n", "", EXAMPLES, "struct"],
  ["contract/exact-statuses", "schemas/errors.yaml", "const: 402", "const: 403", EXAMPLES],
  ["contract/exact-statuses", "schemas/errors.yaml", "const: 413", "const: 414", EXAMPLES],
  ["contract/exact-statuses", "paths/Browser/Open.yaml", '"402":', '"4XX":'],
  ["contract/hints", "schemas/OpenOptions.yaml", "    - The default is 30.\n", "    - The default is 60.\n"],
  ["contract/hints", "schemas/OpenOptions.yaml", "      - The default is `true`.\n", ""],
  ["contract/hints", "schemas/Proxy.yaml", "    x-hint:\n      - Name or address of the proxy.\n", ""],
  ["contract/spelling", "schemas/OpenOptions.yaml", "\n  Args:\n", "\n  darkMode:\n    type: boolean\n  Args:\n"],
  ["contract/spelling", "schemas/Screen.yaml", "\n  Width:\n", "\n  depth:\n    type: integer\n  Width:\n"],
  ["contract/spelling", "schemas/CloseResult.yaml", "\n  status:\n", "\n  close_code:\n    type: integer\n  status:\n"],
  ["contract/previews", "paths/Browser/ScreenshotImage.yaml", 'x-since: "1.1"', 'x-since: "1.1.0"'],
  [EXAMPLES, "paths/Browser/Open.yaml", "KeepOpen: 2.5", "KeepOpen: -2.5"],
  ["response-contains-header", "components/responses.yaml", "    WWW-Authenticate:\n", "    Authenticate:\n"],
];

/** The hand-written files of the contract. */
const SOURCES = ["openapi.yaml", "introduction.md", "paths", "schemas", "components"];

type Faults = readonly Fault[];

/** The faults of each copy of the contract, and no faults for the last copy. */
const COPIES: readonly Faults[] = [...shareCopies(), []];

/** The violated rules of each copy. */
let violated: readonly ReadonlySet<string>[];

/**
 * Puts several faults into each copy, because linting takes long. A rule that must report a fault never reports another
 * fault of the same copy.
 */
function shareCopies(): readonly Faults[] {
  const copies: Fault[][] = [];
  for (const fault of FAULTS) {
    const free = copies.find((copy) => copy.every((other) => !isHiddenBy(fault, other) && !isHiddenBy(other, fault)));
    if (free === undefined) copies.push([fault]);
    else free.push(fault);
  }
  return copies;
}

function isHiddenBy([rule]: Fault, [otherRule, , , , ...also]: Fault): boolean {
  return [otherRule, ...also].includes(rule);
}

/** Lints all copies in one run, because each Redocly run takes a second to start. */
beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), "lint-"));
  try {
    const copies = COPIES.map((faults, index) => ({ faults, copy: join(folder, String(index)) }));
    for (const { faults, copy } of copies) await copyContract(copy, faults);
    const roots = copies.map(({ copy }) => join(copy, "openapi.yaml"));
    const { stdout } = await redocly("lint", ...roots, "--config", "redocly.yaml", "--format", "json");
    // Redocly prints the JSON documents without separators.
    const documents = stdout.trim().split(/(?<=^\})(?=\{)/m);
    violated = documents.map((text) => {
      const { problems } = JSON.parse(text) as { problems: { ruleId: string }[] };
      return new Set(problems.map(({ ruleId }) => ruleId));
    });
  } finally {
    await rm(folder, { recursive: true });
  }
});

async function copyContract(copy: string, faults: Faults): Promise<void> {
  for (const source of SOURCES) await cp(join(ROOT, source), join(copy, source), { recursive: true });
  for (const [, file, sound, broken] of faults) {
    const text = await readFile(join(copy, file), "utf8");
    expect(text).toContain(sound);
    await writeFile(join(copy, file), text.replace(sound, broken));
  }
}

test("the contract violates no rule", () => {
  expect(violated).toHaveLength(COPIES.length);
  expect(violated.at(-1)).toEqual(new Set());
});

test.each(FAULTS)("%s reports a change of %s: %j to %j", (...fault) => {
  const copy = COPIES.findIndex((faults) => faults.some((each) => each.join() === fault.join()));
  expect(violated[copy]).toContain(fault[0]);
});

test("each fault is reported only by the listed rules, so that no fault hides that another isn't reported", () => {
  const listed = COPIES.map((faults) => new Set(faults.flatMap(([rule, , , , ...also]) => [rule, ...also])));
  expect(violated).toEqual(listed);
});

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
