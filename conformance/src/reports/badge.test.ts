import { expect, test } from "vitest";
import { renderBadge } from "./badge.ts";
import { aFailure, aReport, aRule } from "./test/a-report.ts";

const known = aFailure({ knownFailure: "Ticket 12" });

test.each([
  ["conformant in core", [aRule()]],
  ["1 failure", [aFailure()]],
  ["2 failures", [aFailure(), aFailure(), known]],
  ["passed (smoke)", [aRule(), aRule({ verdict: "skip", reason: "It waits.", skippedBy: "profile" })]],
  ["incomplete", [aRule(), aRule({ verdict: "skip", reason: "No token." })]],
  [
    "conformant in core",
    [aRule(), aRule({ capability: "ai", verdict: "skip", reason: "No AI.", skippedBy: "not offered" })],
  ],
  ["1 known failure", [aRule(), known]],
  ["inconclusive", [aRule({ verdict: "inconclusive", reason: "No answer." })]],
])("the badge shows %s", (message, rules) => {
  expect(renderBadge(aReport(rules))).toContain(`aria-label="conformance: ${message}"`);
});
