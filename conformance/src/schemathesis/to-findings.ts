import type { FuzzRule } from "../rules/rule.ts";
import type { Finding } from "../run/verdict.ts";
import { describe } from "../session/expect.ts";
import type { Secrets } from "../session/secrets.ts";
import { toReportedExchange } from "../run/reported-exchange.ts";
import type { Exchange } from "../target/exchange.ts";
import { parse } from "../target/json.ts";
import type { NotedExchange, Scenario, ToolCheck, ToolInteraction, ToolReport } from "./tool-report.ts";

/** Maximum number of exchanges per finding. */
const SHOWN = 6;
/** Maximum number of findings per rule. */
const MAX_FINDINGS = 3;
const MAX_SEEN = 300;

/** Each check's expectation. Completes "expected …". */
const EXPECTED: Readonly<Record<string, string>> = {
  not_a_server_error: "a response without an unexpected error",
  status_code_conformance: "a status that the contract declares for the operation",
  content_type_conformance: "application/json",
  response_headers_conformance: "the headers that the contract declares, with valid values",
  response_schema_conformance: "a body that matches the schema for this status",
  negative_data_rejection: "an invalid request to be rejected",
  positive_data_acceptance: "a valid request to be accepted",
  ignored_auth: "401 without a valid token",
  missing_required_header: "401 without a token",
  unsupported_method: "405 with an Allow header",
  allow_header_conformance: "an Allow header with this path's methods",
};

/** Additional checks that count toward the rule of the main check. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  unsupported_method: ["allow_header_conformance"],
  ignored_auth: ["missing_required_header"],
};

/** Token and secrets used to redact reported exchanges. */
type Shower = { readonly token: string; readonly secrets: Secrets };

/** Collects the secrets in all responses, to redact them everywhere. */
export function learnFrom({ scenarios, notes }: ToolReport, secrets: Secrets): void {
  const interactions = scenarios.flatMap(({ recorder }) => Object.values(recorder.interactions));
  for (const { response } of interactions) secrets.learn(parse(decode(response?.content)));
  for (const note of notes) {
    if ("opened" in note) secrets.learn({ address: note.opened });
    if ("case" in note) for (const { received } of note.exchanges) secrets.learn(parse(received));
  }
}

/** Counts how often a rule's checks ran, and collects their distinct findings. */
export function toFindings(
  report: ToolReport,
  { fuzzCheck }: FuzzRule,
  shower: Shower,
): { readonly made: number; readonly findings: readonly Finding[] } {
  const names = new Set([fuzzCheck, ...(ALSO[fuzzCheck] ?? [])]);
  const ways = new Map<string, Finding>();
  let made = 0;
  for (const scenario of report.scenarios) {
    for (const [id, checks] of Object.entries(scenario.recorder.checks)) {
      for (const check of checks.filter(({ name }) => names.has(name))) {
        made += 1;
        if (check.status !== "failure") continue;
        const finding = toFinding(report, scenario, id, check, shower);
        // The same finding on different browsers counts as one finding.
        const seen = finding.seen.replaceAll(/\$[A-Z]+_\d+/g, "");
        const way = `${scenario.recorder.cases[id]?.value.path} ${finding.expected} ${seen}`;
        if (!ways.has(way)) ways.set(way, finding);
      }
    }
  }
  return { made, findings: [...ways.values()].slice(0, MAX_FINDINGS) };
}

function toFinding(report: ToolReport, scenario: Scenario, id: string, check: ToolCheck, shower: Shower): Finding {
  const { interactions, label } = scenario.recorder;
  const shown = interactions[id];
  const before = Object.values(interactions).filter(({ timestamp }) => timestamp < (shown?.timestamp ?? 0));
  // In non-stateful phases, earlier requests are unrelated.
  const precedingSteps = scenario.phase === "stateful" || label === "Stateful tests" ? before.slice(-SHOWN + 1) : [];
  const isRefused = check.name === "ignored_auth";
  const exchanges = [
    ...precedingSteps.map((each) => toExchange(each, shower.token)),
    ...(shown === undefined ? [] : [toExchange(shown, isRefused ? "not-a-token" : shower.token)]),
  ];
  const note = report.notes.find((each) => "case" in each && each.case === id);
  if (note !== undefined && "case" in note && check.name === "what_open_opened") {
    const all = [...exchanges, ...note.exchanges.map((each) => toNoted(each, shower.token))].slice(-SHOWN);
    return { ...pick(note, shower), exchanges: show(all, shower) };
  }
  const last = exchanges.at(-1);
  const answer = last === undefined ? "no answer" : describe(last.received);
  const said = cut(shower.secrets.redact(toSaid(check)));
  return {
    expected: EXPECTED[check.name] ?? check.name,
    seen: shower.secrets.redact(said === "" ? answer : `${answer}: ${said}`),
    exchanges: show(exchanges, shower),
  };
}

function show(exchanges: readonly Exchange[], { secrets }: Shower): Finding["exchanges"] {
  return exchanges.map((each) => toReportedExchange(each, secrets));
}

function pick({ expected, seen }: { expected: string; seen: string }, { secrets }: Shower): Omit<Finding, "exchanges"> {
  return { expected: secrets.redact(expected), seen: secrets.redact(seen) };
}

/** Returns details from the tool's message that the expectation doesn't contain. */
function toSaid({ name, failure_info: info }: ToolCheck): string {
  const message = info?.failure.message ?? "";
  if (name === "negative_data_rejection") return /Invalid component: ([^]*)/.exec(message)?.[1]?.trim() ?? "";
  if (name === "positive_data_acceptance" || name === "not_a_server_error") return "";
  const [said = ""] = message.split("Validated against the response schema");
  return said.replaceAll(/\s+/g, " ").trim();
}

function cut(text: string): string {
  return text.length > MAX_SEEN ? `${text.slice(0, MAX_SEEN)}…` : text;
}

function toExchange({ request, response, timestamp }: ToolInteraction, token: string): Exchange {
  const text = decode(response?.content);
  // Schemathesis has already masked the token.
  const headers = {
    ...flatten(request.headers),
    ...(request.headers["Authorization"] && { Authorization: `Bearer ${token}` }),
  };
  const at = timestamp * 1000;
  return {
    sent: { method: request.method, url: request.uri, headers, body: request.body ? decode(request.body) : undefined },
    received: {
      status: response?.status_code ?? 0,
      headers: flatten(response?.headers ?? {}),
      text,
      json: parse(text),
    },
    operation: undefined,
    startedAt: at,
    endedAt: at,
  };
}

function toNoted({ method, url, sent, status, headers, received }: NotedExchange, token: string): Exchange {
  const type = sent === null ? {} : { "Content-Type": "application/json" };
  return {
    sent: { method, url, headers: { Authorization: `Bearer ${token}`, ...type }, body: sent ?? undefined },
    received: { status, headers, text: received, json: parse(received) },
    operation: undefined,
    startedAt: 0,
    endedAt: 0,
  };
}

function flatten(headers: Readonly<Record<string, readonly string[]>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, values]) => [name, values.join(", ")]));
}

function decode(body: { readonly $base64: string } | null | undefined): string {
  return Buffer.from(body?.$base64 ?? "", "base64").toString("utf8");
}
