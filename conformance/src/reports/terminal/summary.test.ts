import { expect, test } from "vitest";
import { compareReports } from "../comparison.ts";
import { aFailure, aFinding, aReport, anExchange, aRule, NASTY } from "../test/a-report.ts";
import { wantsColours } from "./style.ts";
import { renderSummary } from "./summary.ts";

const PLAIN = { isColoured: false, width: 80 };

test("a failure shows its rule and sentence, the expected and actual results, and an unbroken curl command", () => {
  const summary = renderSummary(aReport([aFailure()]), PLAIN);
  expect(summary).toContain("FAIL RBS-OPEN-03  decision · core · openBrowser\n");
  expect(summary).toContain("“How many **seconds** the browser");
  expect(summary).toContain("      expected  400 BadRequest\n      seen      200\n");
  expect(summary).toContain(
    `      curl -i -X POST 'https://browsers.example.com/api/v1/Browser/Open' -H "Authorization: Bearer $TOKEN"\n`,
  );
});

test("failures with one cause are shown once, with the server's own message", () => {
  const received = JSON.stringify({ status: 503, name: "BrowserUnavailable", message: "All servers are full." });
  const findings = [aFinding({ seen: "503 BrowserUnavailable", exchanges: [anExchange({ received })] })];
  const rules = [1, 2, 3].map((at) => aFailure({ id: `RBS-OPEN-0${at}` as "RBS-OPEN-01", findings }));
  const summary = renderSummary(aReport([...rules, aFailure({ id: "RBS-OPEN-09" })]), PLAIN);
  expect(summary).toContain("      message   All servers are full.\n");
  expect(summary).toContain("      also in   2 rules: RBS-OPEN-02 RBS-OPEN-03\n");
  expect(summary.match(/^FAIL /gm)).toHaveLength(2);
});

test.each([
  ["CONFORMANT IN CORE: 1 rule passed and 0 failed.", [aRule()]],
  [
    "PASSED (SMOKE): 1 of 1 rule passed; 1 isn't in the smoke profile.",
    [aRule(), aRule({ verdict: "skip", reason: "It waits.", skippedBy: "profile" })],
  ],
  [
    "INCOMPLETE: 0 rules failed, but 1 rule was not tested. No token.",
    [aRule(), aRule({ verdict: "skip", reason: "No token." })],
  ],
  ["NOT CONFORMANT: 1 of 2 tested rules failed, including 1 decision of this contract.", [aRule(), aFailure()]],
  [
    "KNOWN FAILURES: 1 rule failed for known reasons, and no other rule failed.",
    [aFailure({ knownFailure: "Ticket 12" })],
  ],
  ["INCONCLUSIVE: One rule could not be evaluated.", [aRule({ verdict: "inconclusive", reason: "No answer." })]],
])("the last line is %s", (last, rules) => {
  expect(renderSummary(aReport(rules), PLAIN).trimEnd().split("\n").at(-1)).toBe(last);
});

test("skipped rules are grouped by reason, largest group first", () => {
  const skip = (id: `RBS-OPEN-${number}`, reason: string) => aRule({ id, verdict: "skip", reason });
  const rules = [skip("RBS-OPEN-01", "It waits."), skip("RBS-OPEN-02", "No token."), skip("RBS-OPEN-03", "No token.")];
  expect(renderSummary(aReport(rules), { ...PLAIN, isVerbose: true })).toContain(
    "Skipped: 3 rules\n   2  No token.\n      RBS-OPEN-02 RBS-OPEN-03\n   1  It waits.\n      RBS-OPEN-01\n",
  );
});

test("each capability has a line with its verdict", () => {
  const lacked = aRule({ capability: "desktop", verdict: "skip", skippedBy: "not offered", reason: "No desktops." });
  const summary = renderSummary(aReport([aRule(), lacked]), PLAIN);
  expect(summary).toContain(
    "\n  core     conformant\n  desktop  not offered\nCONFORMANT IN CORE: 1 rule passed and 0 failed; 1 of other capabilities was not tested.",
  );
});

test("the ids of skipped rules are listed only on request", () => {
  const rules = [aRule(), aRule({ id: "RBS-OPEN-01", verdict: "skip", reason: "It waits." })];
  const summary = renderSummary(aReport(rules), PLAIN);
  expect(summary).toContain("   1  It waits.\n");
  expect(summary).not.toContain("RBS-OPEN-01");
});

test("a sequence has one line per step and one curl command per exchange", () => {
  const exchanges = ["Open", "Close"].map((name) => anExchange({ curl: `curl ${name}` }));
  const finding = aFinding({ seen: "200 (seen again):\n1. Open → browser 1\n2. Close browser 1 → 200", exchanges });
  const rule = aFailure({ layer: "model", findings: [finding] });
  expect(renderSummary(aReport([rule]), PLAIN)).toContain(
    `      seen      200 (seen again):
                1. Open → browser 1
                2. Close browser 1 → 200
      curl Open
      curl Close
`,
  );
  expect(renderSummary(aReport([{ ...rule, layer: "lifecycle" }]), PLAIN)).not.toContain("curl Open");
});

test("an expected failure that passes is reported", () => {
  const summary = renderSummary(aReport([aRule({ knownFailure: "Ticket 12" })]), PLAIN);
  expect(summary).toContain("Remove them from the expected-failures file\n  RBS-OPEN-03  was: Ticket 12");
});

test("the summary shows changed results and browsers that were left open", () => {
  const now = aReport([aFailure()], { leftBehind: ["One browser is still listed."] });
  const summary = renderSummary(now, { ...PLAIN, comparison: compareReports(aReport([aRule()]), now) });
  expect(summary).toContain("   1  newly failing\n      RBS-OPEN-03\n");
  expect(summary).toContain("Left open\n  One browser is still listed.");
});

test("responses from servers can't control the terminal", () => {
  const rule = { reason: NASTY, sentence: NASTY, findings: [aFinding({ expected: NASTY, seen: NASTY })] };
  const report = aReport([aFailure(rule), aRule({ ...rule, verdict: "skip" })], { leftBehind: [NASTY] });
  // oxlint-disable-next-line no-control-regex -- the test is about control characters
  expect(renderSummary(report, PLAIN)).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u202E]/);
});

test("colours depend on the terminal and the environment", () => {
  expect(renderSummary(aReport([aFailure()]), { ...PLAIN, isColoured: true })).toContain("\u001B[31m");
  expect(wantsColours(true, {})).toBe(true);
  expect(wantsColours(false, {})).toBe(false);
  expect(wantsColours(true, { NO_COLOR: "1" })).toBe(false);
  expect(wantsColours(true, { TERM: "dumb" })).toBe(false);
  expect(wantsColours(false, { FORCE_COLOR: "1" })).toBe(true);
  expect(wantsColours(true, { NO_COLOR: "1", FORCE_COLOR: "1" })).toBe(false);
});
