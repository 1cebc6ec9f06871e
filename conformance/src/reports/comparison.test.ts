import { expect, test } from "vitest";
import { compareReports } from "./comparison.ts";
import type { ReportedRule } from "./report.ts";
import { aReport, aRule } from "./test/a-report.ts";

const ID = "RBS-OPEN-01";

function of(...verdicts: ReportedRule["verdict"][]) {
  return aReport(verdicts.map((verdict) => aRule({ id: ID, verdict, reason: "because" })));
}

test.each([
  ["pass", "fail", "newly failing"],
  ["skip", "fail", "newly failing"],
  ["fail", "pass", "fixed"],
  ["warn", "pass", "fixed"],
  ["skip", "pass", "newly passing"],
  ["fail", "skip", "newly skipped"],
  ["pass", "warn", "newly warned about"],
  ["fail", "inconclusive", "newly inconclusive"],
] as const)("a change from %s to %s is reported as %s", (before, now, change) => {
  const { changes } = compareReports(of(before), of(now));
  expect([...changes.keys()]).toEqual([change]);
  expect(changes.get(change)).toMatchObject([{ id: ID, before, now }]);
});

test("an unchanged result is not reported as a change", () => {
  expect(compareReports(of("fail"), of("fail")).changes.size).toBe(0);
});

test("new and removed rules are reported as changes", () => {
  expect([...compareReports(of(), of("fail")).changes.keys()]).toEqual(["new"]);
  expect([...compareReports(of("fail"), of()).changes.keys()]).toEqual(["removed"]);
});

test("differences that make runs hard to compare are reported", () => {
  const previous = aReport([], { profile: "full", target: { baseUrl: "https://other.example.com" } });
  expect(compareReports(previous, aReport([])).caveats).toEqual([
    "The previous run tested another deployment: https://other.example.com, now https://browsers.example.com.",
    "The previous run used another profile: full, now smoke.",
  ]);
});
