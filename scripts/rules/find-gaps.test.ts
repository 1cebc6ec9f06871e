import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Rule } from "../../conformance/src/registry/rule.ts";
import type { Contract } from "../../openapi/scripts/contract.ts";
import { constrainedInRequests } from "./constraints.ts";
import { findGaps, type Sources } from "./find-gaps.ts";

const RULE: Rule = {
  kind: "story",
  id: "RBS-CLOSE-01",
  level: "required",
  capability: "core",
  at: "#/paths/~1Close/post/description",
  sentence: "It is closed then.",
  covers: ["closeBrowser 200", "Reference.address", "every answer"],
  opens: 1,
  check: () => Promise.resolve(),
};

/** A contract of one operation, and all that it takes to have no gap. */
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
          "x-rules": ["RBS-CLOSE-01"],
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

function withoutIds({ paths }: Contract): Contract["paths"] {
  return JSON.parse(JSON.stringify(paths).replace('"x-rules":["RBS-CLOSE-01"],', "")) as Contract["paths"];
}

test("where everything has a rule, there is no gap", () => {
  expect(findGaps(complete())).toEqual([]);
});

test.each<[string, (sources: ReturnType<typeof complete>) => Partial<Sources>, string]>([
  ["an id of two rules", ({ rules }) => ({ rules: [...rules, RULE] }), "RBS-CLOSE-01 is the id of two rules."],
  [
    "an id that is none",
    ({ rules }) => ({ rules: [...rules, { ...RULE, id: "RBS-close-1" }] }),
    "an id is RBS-AREA-NN",
  ],
  [
    "a sentence that the contract does not say",
    () => ({ rules: [{ ...RULE, sentence: "It is closed." }] }),
    "does not stand",
  ],
  ["an empty sentence", () => ({ rules: [{ ...RULE, sentence: " " }] }), "does not stand"],
  ["a place that does not exist", () => ({ rules: [{ ...RULE, at: "#/paths/~1Open" }] }), "does not stand"],
  [
    "a rule that the contract does not name",
    ({ rules }) => ({ rules: [...rules, { ...RULE, id: "RBS-CLOSE-02" }] }),
    "stands nowhere",
  ],
  ["an id in the contract without a rule", () => ({ rules: [] }), "openapi.yaml names RBS-CLOSE-01"],
  ["an answer without a rule", () => ({ beyondReach: {} }), "closeBrowser 500 has no rule."],
  [
    "a member without a rule",
    () => ({ rules: [{ ...RULE, covers: ["closeBrowser 200"] }] }),
    "Reference.address has no rule.",
  ],
  [
    "a rule that the contract names, but not where it belongs",
    ({ contract }) => ({ contract: { ...contract, paths: withoutIds(contract), "x-rules": ["RBS-CLOSE-01"] } }),
    "RBS-CLOSE-01 covers closeBrowser",
  ],
  [
    "a sentence with two levels",
    ({ rules }) => ({ rules: [...rules, { ...RULE, id: "RBS-CLOSE-02", level: "decision" }] }),
    "another level",
  ],
  [
    "an answer's member without a rule",
    () => ({ rules: [{ ...RULE, covers: ["closeBrowser 200", "Reference.address"] }] }),
    "Result.status of answers has no rule.",
  ],
  [
    "a rule for what there is not",
    () => ({ rules: [{ ...RULE, covers: ["openBrowser 200"] }] }),
    "openBrowser 200 is covered",
  ],
  [
    "an answer beyond reach that has a rule",
    ({ beyondReach }) => ({ beyondReach: { ...beyondReach, "closeBrowser 200": "" } }),
    "and has a rule",
  ],
  [
    "something beyond reach that there is not",
    ({ beyondReach }) => ({ beyondReach: { ...beyondReach, "x 200": "" } }),
    "nothing of the contract",
  ],
  [
    "a decision without a rule",
    ({ decisions }) => ({ decisions: `${decisions}| Who? | We | Why | \`#/z\` | |\n` }),
    'names no rule for "Who?"',
  ],
  [
    "a decision with a rule that there is not",
    ({ decisions }) => ({ decisions: `${decisions}| Who? | We | Why | \`#/z\` | \`RBS-CLOSE-09\` |\n` }),
    "RBS-CLOSE-09",
  ],
])("%s is a gap", (_, change, told) => {
  const sources = complete();
  expect(findGaps({ ...sources, ...change(sources) }).join("\n")).toContain(told);
});

test("the contract's requests have these constrained members", () => {
  const text = readFileSync(new URL("../../openapi/generated/openapi.json", import.meta.url), "utf8");
  expect(constrainedInRequests(JSON.parse(text) as Contract)).toEqual([
    ...["OpenOptions.Args", "OpenOptions.IgnoredDefaultArgs", "OpenOptions.KeepOpen", "OpenOptions.Label"],
    ...["SupportedBrowser", "Proxy.Host", "Proxy.Port", "Proxy.Username", "Proxy.Password"],
    ...["BrowserReference.address", "QueryRequest.html", "QueryRequest.prompt", "QueryRequest.responseFormat"],
  ]);
});
