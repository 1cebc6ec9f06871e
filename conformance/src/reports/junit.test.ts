import { expect, test } from "vitest";
import { renderJunit } from "./junit.ts";
import { aFailure, aFinding, aReport, aRule, NASTY } from "./test/a-report.ts";

test("every rule is a test case with its area and level", () => {
  const xml = renderJunit(aReport([aRule(), aRule({ id: "RBS-CLOSE-01", level: "required" })]));
  expect(xml).toContain('tests="2" failures="0" errors="0" skipped="0"');
  expect(xml).toContain('<testcase classname="OPEN.decision" name="RBS-OPEN-03 How many');
  expect(xml).toContain('<testcase classname="CLOSE.required" name="RBS-CLOSE-01 ');
  expect(xml).toContain('time="0.120"/>');
});

test("a failure shows the expected and actual results, and a curl command", () => {
  const xml = renderJunit(aReport([aFailure()]));
  expect(xml).toContain('<failure type="fail" message="expected 400 BadRequest, but saw 200">');
  expect(xml).toContain("-H &quot;Authorization: Bearer $TOKEN&quot;");
});

test("a known failure does not fail the build", () => {
  const xml = renderJunit(aReport([aFailure({ knownFailure: "Ticket 12" })]));
  expect(xml).toContain('failures="0" errors="0" skipped="1"');
  expect(xml).toContain('<skipped message="Known failure: Ticket 12"/><system-out>');
});

test("skipped and inconclusive rules have reasons, and warnings appear as test output", () => {
  const xml = renderJunit(
    aReport([
      aRule({ verdict: "skip", reason: "It waits." }),
      aRule({ verdict: "inconclusive", reason: "No answer." }),
      aFailure({ verdict: "warn", level: "recommended" }),
    ]),
  );
  expect(xml).toContain('failures="0" errors="1" skipped="1"');
  expect(xml).toContain('<skipped message="It waits."/>');
  expect(xml).toContain('<error type="inconclusive" message="No answer.">');
  expect(xml).toContain("<system-out>Warning: expected 400 BadRequest, but saw 200");
});

test("any response produces valid XML", () => {
  const nasty = aFinding({ expected: NASTY, seen: `${NASTY}\n\ttwo` });
  const rule = { sentence: NASTY, reason: NASTY, findings: [nasty] };
  const known = aFailure({ ...rule, knownFailure: NASTY });
  const others = (["skip", "warn", "fail", "inconclusive"] as const).map((verdict) => aRule({ ...rule, verdict }));
  const xml = renderJunit(aReport([known, ...others], { leftBehind: [NASTY], target: { baseUrl: "http://[::1]:1/" } }));
  expect(mismatch(xml)).toBe(undefined);
  expect(xml).toContain("\\u{1b}[31m\\u{0}\\u{d800}");
});

/** Returns the first part of a text that is not well-formed XML, or undefined if the text is well-formed. */
function mismatch(xml: string): string | undefined {
  const allowed = /^[\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]*$/u;
  if (!allowed.test(xml)) return "a character that is not allowed in XML";
  const token =
    /<\?xml [^?]*\?>|<(?<open>[\w-]+)(?: \w+="(?:[^<&"]|&(?:amp|lt|gt|quot|#\d+);)*")*(?<empty>\/?)>|<\/(?<close>[\w-]+)>|(?:[^<>&]|&(?:amp|lt|gt|quot);)+/uy;
  const open: string[] = [];
  while (token.lastIndex < xml.length) {
    const from = token.lastIndex;
    const groups = token.exec(xml)?.groups;
    if (groups === undefined) return xml.slice(from, from + 60);
    if (groups["open"] !== undefined && groups["empty"] === "") open.push(groups["open"]);
    if (groups["close"] !== undefined && open.pop() !== groups["close"]) return `</${groups["close"]}>`;
  }
  return open.pop();
}
