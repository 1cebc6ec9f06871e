import { expect, test } from "vitest";
import { renderBadge } from "./badge.ts";
import { aFailure, aReport, aRule } from "./test/a-report.ts";

const skipped = aRule({ verdict: "skip", reason: "It waits." });
const known = aFailure({ knownFailure: "Ticket 12" });

test.each([
  ["conformant", [aRule()]],
  ["1 failure", [aFailure()]],
  ["2 failures", [aFailure(), aFailure(), known]],
  ["not proven", [aRule(), skipped]],
  ["1 known failure", [aRule(), known]],
  ["inconclusive", [aRule({ verdict: "inconclusive", reason: "No answer." })]],
])("the badge shows %s", (message, rules) => {
  expect(renderBadge(aReport(rules))).toContain(`aria-label="conformance: ${message}"`);
});
