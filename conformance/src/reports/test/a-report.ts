import { conclude, countRules } from "../conclusion.ts";
import type { Finding, ReportedExchange } from "../../run/verdict.ts";
import { REPORT_SCHEMA_VERSION, type ReportedRule, type RunReport } from "../report.ts";

/** Creates a report with defaults for all members that a test does not set. */
export function aReport(rules: readonly ReportedRule[], differences: Partial<RunReport> = {}): RunReport {
  const counts = countRules(rules);
  return {
    schemaVersion: REPORT_SCHEMA_VERSION,
    tool: { name: "@remote-browser/conformance", version: "0.1.0" },
    contract: { title: "Remote Browser Service", version: "1.0.0" },
    target: { baseUrl: "https://browsers.example.com" },
    startedAt: "2026-03-04T05:06:07.008Z",
    durationMs: 12_345,
    profile: "smoke",
    seed: 1,
    labelPrefix: "conformance-1a2b3c4d",
    opens: { planned: 40, used: 31 },
    ...conclude(rules, { profile: "smoke", rules: [], isPartial: false }),
    counts,
    leftBehind: [],
    rules,
    ...differences,
  };
}

export function aRule(differences: Partial<ReportedRule> = {}): ReportedRule {
  return {
    id: "RBS-OPEN-03",
    level: "decision",
    capability: "core",
    layer: "lifecycle",
    sentence: "How many **seconds** the browser stays open while no client is connected.",
    at: "#/components/schemas/OpenOptions/properties/KeepOpen/description",
    operations: ["openBrowser"],
    verdict: "pass",
    reason: null,
    findings: [],
    durationMs: 120,
    knownFailure: null,
    skippedBy: differences.verdict === "skip" ? "missing" : null,
    ...differences,
  };
}

export function aFailure(differences: Partial<ReportedRule> = {}): ReportedRule {
  return aRule({ verdict: "fail", findings: [aFinding()], ...differences });
}

export function aFinding(differences: Partial<Finding> = {}): Finding {
  return { expected: "400 BadRequest", seen: "200", exchanges: [anExchange()], ...differences };
}

export function anExchange(differences: Partial<ReportedExchange> = {}): ReportedExchange {
  return {
    request: "POST /api/v1/Browser/Open",
    sent: '{"Headless":true,"KeepOpen":"30"}',
    status: 200,
    headers: { "content-type": "application/json" },
    received: '{"status":200,"address":"wss://browsers.example.com/devtools/browser/$BROWSER_1"}',
    curl: `curl -i -X POST 'https://browsers.example.com/api/v1/Browser/Open' -H "Authorization: Bearer $TOKEN"`,
    ...differences,
  };
}

/** Text with which a malicious server could attack the report formats. */
export const NASTY = `</script><script>alert(1)</script>"'><img src=x onerror=alert(2)>&amp; ]]> \u001B[31m\u0000\uD800\u202E\uFFFE <!--`;
