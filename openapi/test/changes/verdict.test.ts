import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { compareContracts } from "../../changes/compare-contracts.ts";
import { type Candidate, findMisdated, findProblems } from "../../changes/find-problems.ts";
import { renderChangelog } from "../../changes/render-changelog.ts";
import { readAccepted, readVersion } from "../../changes/released.ts";
import type { Contract } from "../../scripts/contract.ts";
import { Draft } from "./draft.ts";
import { readContract } from "../read-contract.ts";

const contract = readContract();

function changed(mutate: (draft: Draft) => void) {
  const draft = new Draft(contract);
  mutate(draft);
  return compareContracts(contract, draft.contract as unknown as Contract);
}

const breaking = changed((draft) => (draft.member("OpenOptions", "KeepOpen")["minimum"] = 1));
const additive = changed((draft) => (draft.member("OpenOptions", "Label")["maxLength"] = 300));
const prose = changed((draft) => (draft.schema("Proxy")["description"] = "A proxy."));
const breakingId = breaking[0]?.id ?? "";

function judge(facts: Partial<Omit<Candidate, "present">> & { readonly present?: string }): string[] {
  const present = readVersion(facts.present ?? "1.0.0");
  const paths = [`/api/v${present.major}/Browser/Open`];
  return findProblems({ changes: [], accepted: [], released: readVersion("1.0.0"), paths, ...facts, present });
}

test("a contract without changes, or with only prose changes, needs no new version", () => {
  expect(judge({})).toStrictEqual([]);
  expect(judge({ changes: prose })).toStrictEqual([]);
});

test("an addition requires a new minor version", () => {
  expect(judge({ changes: additive })).toStrictEqual([expect.stringContaining("1.1.0 or higher, not 1.0.0")]);
  expect(judge({ changes: additive, present: "1.0.1" })).toHaveLength(1);
  expect(judge({ changes: additive, present: "1.1.0" })).toStrictEqual([]);
});

test("a breaking change within a major version is refused, and the message names its identifier and the affected clients", () => {
  const refused = [
    `${breakingId}\n  breaks clients: A client that sends KeepOpen below 1 is now refused.`,
    expect.stringMatching(/^Undo it.*info\.version 2\.0\.0, .*\/api\/v2\/.* openapi\/released\/accepted\.json/),
  ];
  expect(judge({ changes: breaking, present: "1.1.0" })).toStrictEqual(refused);
  expect(judge({ changes: breaking, present: "1.0.0" })).toStrictEqual(refused);
});

test("a new major version with new paths allows breaking changes", () => {
  expect(judge({ changes: breaking, present: "2.0.0" })).toStrictEqual([]);
  expect(judge({ changes: breaking, present: "2.0.0", paths: ["/api/v1/Browser/Open"] })).toStrictEqual([
    expect.stringContaining("/api/v1/Browser/Open must begin with /api/v2/"),
  ]);
});

test("an accepted breaking change counts as an addition", () => {
  const accepted = [{ change: breakingId, reason: "No deployment ever accepted 0." }];
  expect(judge({ changes: breaking, accepted })).toStrictEqual([expect.stringContaining("1.1.0 or higher")]);
  expect(judge({ changes: breaking, accepted, present: "1.1.0" })).toStrictEqual([]);
});

test("an accepted change must be one of the breaking changes", () => {
  const listing = (change: string) => [{ change, reason: "For a reason." }];
  expect(judge({ accepted: listing(breakingId) })).toStrictEqual([expect.stringContaining(`lists ${breakingId}`)]);
  const additions = { changes: additive, present: "1.1.0" };
  expect(judge({ ...additions, accepted: listing(additive[0]?.id ?? "") })).toHaveLength(1);
});

test("a version has three numbers and never decreases", () => {
  expect(judge({ released: readVersion("1.2.0"), present: "1.1.9" })).toStrictEqual([
    "info.version is 1.1.9, but 1.2.0 is already released.",
  ]);
  expect(() => readVersion("1.0")).toThrow('not "1.0"');
});

test("at most one minor version is unreleased", () => {
  expect(judge({ present: "1.2.0" })).toStrictEqual([expect.stringContaining("but 1.1 is not released")]);
});

test("a preview names the version that added it", () => {
  const preview = (since: string) => ({ paths: { "/a": { get: { "x-stability": "preview", "x-since": since } } } });
  const next = readVersion("1.2.0");
  expect(findMisdated({}, preview("1.2"), next)).toStrictEqual([]);
  expect(findMisdated({}, preview("1.1"), next)).toStrictEqual(['x-since of #/paths//a/get must be "1.2", not "1.1".']);
  expect(findMisdated(preview("1.1"), preview("1.1"), next)).toStrictEqual([]);
  expect(findMisdated(preview("1.1"), preview("1.2"), next)).toHaveLength(1);
});

test("a changelog entry has the location, both values, the affected clients, and the identifier", () => {
  expect(renderChangelog("The contract since 1.0.0", breaking, [])).toBe(`# The contract since 1.0.0

## Requests

- **breaks** minimum of KeepOpen of OpenOptions (openBrowser): was 0, is 1. A client that sends KeepOpen below 1 is now refused.
  \`${breakingId}\`
`);
});

test("a changelog includes additions, accepted breaking changes and prose changes, or states that nothing differs", () => {
  const accepted = [{ change: breakingId, reason: "No deployment ever accepted 0." }];
  const text = renderChangelog("The contract", [...additive, ...breaking, ...prose], accepted);
  expect(text).toContain("## Requests\n\n- **accepted** minimum of KeepOpen");
  expect(text).toContain("  Accepted: No deployment ever accepted 0.\n- maxLength of Label of OpenOptions");
  expect(text).toContain("A client may now send Label longer than 256 characters.");
  expect(text).toMatch(
    /## Prose\n\n- description of Proxy \(openBrowser\): was “A proxy of your own.*”, is “A proxy\.”\.\n$/,
  );
  expect(renderChangelog("The contract", [], [])).toBe("# The contract\n\nNothing differs.\n");
});

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "accepted-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ['{"change": "a"}', "must be a list"],
  ['[{"change": "a", "reason": " "}]', "and the reason"],
  ['[{"reason": "Because."}]', "the accepted change"],
])("an accepted.json file that contains %j is refused", (text, words) => {
  const file = join(folder, "accepted.json");
  writeFileSync(file, text);
  expect(() => readAccepted(file)).toThrow(words);
});
