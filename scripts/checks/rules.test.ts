import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Rule } from "../../conformance/src/rules/rule.ts";
import type { Contract } from "../../openapi/scripts/contract.ts";
import { constrainedInRequests } from "./constraints.ts";
import { findGaps, type Sources } from "./rules.ts";

const RULE: Rule = {
  kind: "scenario",
  id: "RBS-CLOSE-01",
  level: "required",
  capability: "core",
  at: "#/paths/~1Close/post/description",
  sentence: "It is closed then.",
  covers: ["closeBrowser 200", "Reference.address", "every answer"],
  opens: 1,
  check: () => Promise.resolve(),
};

/** A contract with one operation, and rules that cover it completely. */
function complete(): { contract: Contract; decisions: string; rules: Rule[]; beyondReach: Record<string, string> } {
  const address = { type: "string", minLength: 1 };
  const schema = { $ref: "#/components/schemas/Reference" };
  const contract = {
    "x-answers-of-other-requests": {},
    paths: {
      "/Close": {
        post: {
          operationId: "closeBrowser",
          description: "Closes it. It is\nclosed then.",
          requestBody: { content: { "application/json": { schema } } },
          responses: { "200": { schema: { $ref: "#/components/schemas/Result" } }, "500": {} },
        },
      },
    },
    components: {
      responses: {},
      schemas: {
        Reference: { type: "object", properties: { address, note: { type: "string" } } },
        Result: { type: "object", properties: { status: { const: 200 } } },
      },
    },
  };
  return {
    contract: contract as unknown as Contract,
    decisions:
      "| Open point | Rule |\n|---|---|\n| When? | Then | Why | `#/x` | `RBS-CLOSE-01` |\n| How? | So | Why | `#/y` | none: unseen |\n",
    rules: [RULE],
    beyondReach: { "closeBrowser 500": "unexpected" },
  };
}

test("the check reports no gaps if every part of the contract has a rule", () => {
  expect(findGaps(complete())).toEqual([]);
});

test.each<[string, (sources: ReturnType<typeof complete>) => Partial<Sources>, string]>([
  ["two rules with the same id", ({ rules }) => ({ rules: [...rules, RULE] }), "Two rules have the id RBS-CLOSE-01."],
  [
    "an invalid id",
    ({ rules }) => ({ rules: [...rules, { ...RULE, id: "RBS-close-1" }] }),
    "an id must have the form RBS-AREA-NN",
  ],
  [
    "a sentence that isn't in the contract",
    () => ({ rules: [{ ...RULE, sentence: "It is closed." }] }),
    "the sentence is not at",
  ],
  ["an empty sentence", () => ({ rules: [{ ...RULE, sentence: " " }] }), "the sentence is not at"],
  ["a pointer that doesn't exist", () => ({ rules: [{ ...RULE, at: "#/paths/~1Open" }] }), "the sentence is not at"],
  ["a response without a rule", () => ({ beyondReach: {} }), "closeBrowser 500 has no rule."],
  [
    "a member without a rule",
    () => ({ rules: [{ ...RULE, covers: ["closeBrowser 200"] }] }),
    "Reference.address has no rule.",
  ],
  [
    "a sentence with two levels",
    ({ rules }) => ({ rules: [...rules, { ...RULE, id: "RBS-CLOSE-02", level: "decision" }] }),
    "another level",
  ],
  [
    "a response member without a rule",
    () => ({ rules: [{ ...RULE, covers: ["closeBrowser 200", "Reference.address"] }] }),
    "Result.status of responses has no rule.",
  ],
  [
    "a rule that covers an unknown response",
    () => ({ rules: [{ ...RULE, covers: ["openBrowser 200"] }] }),
    "A rule covers openBrowser 200",
  ],
  [
    "an unreachable response with a rule",
    ({ beyondReach }) => ({ beyondReach: { ...beyondReach, "closeBrowser 200": "" } }),
    "but it has a rule",
  ],
  [
    "an unreachable response that isn't in the contract",
    ({ beyondReach }) => ({ beyondReach: { ...beyondReach, "x 200": "" } }),
    "not in the contract",
  ],
  [
    "a decision without a rule",
    ({ decisions }) => ({ decisions: `${decisions}| Who? | We | Why | \`#/z\` | |\n` }),
    'names no rule for "Who?"',
  ],
  [
    "a decision with an unknown rule",
    ({ decisions }) => ({ decisions: `${decisions}| Who? | We | Why | \`#/z\` | \`RBS-CLOSE-09\` |\n` }),
    "RBS-CLOSE-09",
  ],
])("%s is a gap", (_, change, message) => {
  const sources = complete();
  expect(findGaps({ ...sources, ...change(sources) }).join("\n")).toContain(message);
});

test("the check finds the constrained members of requests in the contract", () => {
  const text = readFileSync(new URL("../../openapi/generated/openapi.json", import.meta.url), "utf8");
  expect(constrainedInRequests(JSON.parse(text) as Contract)).toEqual([
    ...["OpenOptions.Args", "OpenOptions.IgnoredDefaultArgs", "OpenOptions.KeepOpen", "OpenOptions.Label"],
    ...["Tags", "Lifetime", "WaitForPlace", "Language", "TimeZone"].map((name) => `OpenOptions.${name}`),
    ...["SupportedBrowser", "Proxy.Host", "Proxy.Port", "Proxy.Username", "Proxy.Password"],
    ...["Screen.Width", "Screen.Height", "Screen.Scale"],
    ...["BrowserReference.address", "BrowserReference.id"],
    ...["since", "until", "label", "tag", "limit", "cursor"].map((name) => `HistoryRequest.${name}`),
    ...["address", "id", "seconds"].map((name) => `WaitRequest.${name}`),
    ...["address", "id", "keepOpen", "lifetime", "label", "tags"].map((name) => `UpdateRequest.${name}`),
    ...["CloseAllRequest.label", "CloseAllRequest.tag"],
    ...["QueryRequest.html", "QueryRequest.prompt", "QueryRequest.responseFormat"],
  ]);
});
