import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { compareReports } from "../comparison.ts";
import { aFailure, aFinding, aReport, aRule, anExchange, NASTY } from "../test/a-report.ts";
import { renderHtml } from "./page.ts";

test("the verdict comes first, then failures with all details, then the table", () => {
  const page = renderHtml(aReport([aRule(), aFailure({ id: "RBS-CLOSE-02" })]));
  const order = ["<h1>", "</svg>Not conformant", 'id="failures"', "400 BadRequest", "Bearer $TOKEN", 'id="rules"'];
  const places = order.map((each) => page.indexOf(each));
  expect(places).toEqual(places.toSorted((one, other) => one - other));
  expect(places).not.toContain(-1);
});

test("unknown failures come before known ones", () => {
  const known = aFailure({ id: "RBS-OPEN-01", knownFailure: "Ticket 12" });
  const page = renderHtml(aReport([known, aFailure({ id: "RBS-OPEN-02" })]));
  expect(page.indexOf('id="RBS-OPEN-02"')).toBeLessThan(page.indexOf('id="RBS-OPEN-01"'));
  expect(page).toContain("<b>Known:</b> Ticket 12");
});

test("the commands of a sequence can be copied in one go", () => {
  const exchanges = ["Open", "Close"].map((name) => anExchange({ curl: `curl ${name}` }));
  const rule = aFailure({ layer: "model", findings: [aFinding({ exchanges })] });
  expect(renderHtml(aReport([rule]))).toContain(">curl Open\ncurl Close</pre>");
  expect(renderHtml(aReport([{ ...rule, layer: "lifecycle" }]))).not.toContain("curl Open\ncurl Close");
});

test("skipped rules are grouped by reason", () => {
  const skip = { verdict: "skip", reason: "It needs --token-limited." } as const;
  const page = renderHtml(aReport([aRule(skip), aRule({ id: "RBS-OPEN-04", ...skip })]));
  expect(page).toContain("<summary><b>2</b> <span>It needs --token-limited.</span></summary>");
});

test("the page shows changes since an earlier report", () => {
  const now = aReport([aFailure()]);
  expect(renderHtml(now, compareReports(aReport([aRule()]), now))).toContain("<b>1</b> <span>Newly failing</span>");
});

test("the page loads no external resources, and only its own script runs", () => {
  const page = renderHtml(aReport([aFailure()]));
  const [, script = ""] = /<script>([^]*?)<\/script>/.exec(page) ?? [];
  const hash = createHash("sha256").update(script).digest("base64");
  expect(page).toContain(`default-src 'none'; style-src 'sha256-`);
  expect(page).toContain(`script-src 'sha256-${hash}'`);
  expect(page).not.toMatch(/ (?:src|on\w+|style)=|<link|@import|url\(/);
});

test("responses from servers are escaped", () => {
  const exchange = anExchange({
    ...{ request: NASTY, sent: NASTY, received: NASTY, curl: NASTY },
    headers: { [NASTY]: NASTY },
  });
  const nasty = aFinding({ expected: NASTY, seen: NASTY, exchanges: [exchange] });
  const rule = { sentence: `\`${NASTY}\` **${NASTY}**`, reason: NASTY, operations: [NASTY], findings: [nasty] };
  const verdicts = ["pass", "skip", "warn", "fail", "inconclusive"] as const;
  const rules = verdicts.map((verdict) => aRule({ ...rule, verdict, knownFailure: NASTY }));
  const before = aReport(verdicts.map((verdict) => aRule({ ...rule, id: "RBS-OPEN-98", verdict })));
  const report = aReport(rules, { target: { baseUrl: NASTY }, why: NASTY, leftBehind: [NASTY], labelPrefix: NASTY });
  const page = renderHtml(report, compareReports(before, report));
  const tags = new Set(Array.from(page.matchAll(/<(?!\/)(\S+?)[\s>]/g), ([, name]) => name));
  expect([...tags]).not.toContain("img");
  expect(page.match(/<script/g)).toHaveLength(1);
  expect(page.match(/<!--/g)).toBe(null);
  // oxlint-disable-next-line no-control-regex -- the test is about control characters
  expect(page).not.toMatch(/[\u0000\u001B\u202E]/);
});
