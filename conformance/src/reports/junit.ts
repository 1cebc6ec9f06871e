import { escapeMarkup } from "./html/markup.ts";
import type { Finding } from "../run/verdict.ts";
import type { ReportedRule, RunReport } from "./report.ts";

/** Renders JUnit XML with one test case per rule. */
export function renderJunit(report: RunReport): string {
  const { counts, contract, rules } = report;
  const suite = attributes({
    name: `${contract.title} ${contract.version}`,
    tests: rules.length,
    failures: counts.fail - counts.knownFailures,
    errors: counts.inconclusive,
    skipped: counts.skip + counts.knownFailures,
    time: toSeconds(report.durationMs),
    timestamp: report.startedAt,
    hostname: URL.parse(report.target.baseUrl)?.hostname ?? "",
  });
  const properties = Object.entries({
    verdict: report.verdict,
    why: report.why,
    ...Object.fromEntries(report.capabilities.map(({ capability, verdict }) => [`capability.${capability}`, verdict])),
    baseUrl: report.target.baseUrl,
    profile: report.profile,
    seed: report.seed,
    tool: `${report.tool.name} ${report.tool.version}`,
  }).map(([name, value]) => `<property${attributes({ name, value })}/>`);
  const output = report.leftBehind.length === 0 ? [] : [element("system-out", {}, report.leftBehind.join("\n"))];
  return [
    `<?xml version="1.0" encoding="UTF-8"?>`,
    `<testsuites><testsuite${suite}>`,
    `<properties>${properties.join("")}</properties>`,
    ...rules.map(toCase),
    ...output,
    `</testsuite></testsuites>\n`,
  ].join("\n");
}

function toCase(rule: ReportedRule): string {
  const { id, level, sentence, durationMs } = rule;
  const classname = `${id.replace(/^RBS-/, "").replace(/-\d+$/, "")}.${level}`;
  const head = attributes({ classname, name: `${id} ${sentence}`, time: toSeconds(durationMs) });
  const inside = toOutcome(rule);
  return inside === "" ? `<testcase${head}/>` : `<testcase${head}>${inside}</testcase>`;
}

function toOutcome({ verdict, reason, findings, sentence, at, knownFailure }: ReportedRule): string {
  const [first] = findings;
  const message = first === undefined ? "" : `expected ${first.expected}, but saw ${first.seen}`;
  const text = [`${sentence}\n${at}`, ...findings.map(toText)].join("\n\n");
  switch (verdict) {
    case "pass": {
      if (knownFailure === null) return "";
      return element("system-out", {}, `The rule passes. Remove it from the expected failures ("${knownFailure}").`);
    }
    case "skip":
      return element("skipped", { message: reason ?? "" });
    case "warn":
      return element("system-out", {}, `Warning: ${message}\n${text}`);
    case "inconclusive":
      return element("error", { type: "inconclusive", message: reason ?? "" }, text);
    case "fail":
      return knownFailure === null
        ? element("failure", { type: "fail", message }, text)
        : element("skipped", { message: `Known failure: ${knownFailure}` }) + element("system-out", {}, text);
  }
}

function toText({ expected, seen, exchanges }: Finding): string {
  const shown = exchanges.map(({ request, status, received, curl }) =>
    [`${request} → ${status ?? "no answer"}`, curl, received].join("\n"),
  );
  return [`expected ${expected}`, `seen ${seen}`, ...shown].join("\n");
}

function element(name: string, values: Readonly<Record<string, string>>, text = ""): string {
  const head = `${name}${attributes(values)}`;
  return text === "" ? `<${head}/>` : `<${head}>${escapeMarkup(text)}</${name}>`;
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  const pairs = Object.entries(values).map(([name, value]) => ` ${name}="${escapeMarkup(String(value))}"`);
  return pairs.join("").replaceAll("\n", "&#10;").replaceAll("\t", "&#9;");
}

function toSeconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}
