import { setTimeout as sleep } from "node:timers/promises";
import { operations } from "@remote-browser/contract/operations";
import type { ExchangeRule, Rule, ScenarioRule } from "../rules/rule.ts";
import { includes } from "../contract/versions.ts";
import type { Complaint } from "../contract/vocabulary.ts";
import type { Finding, RuleResult } from "./verdict.ts";
import type { Exchange } from "../target/exchange.ts";
import { NoAnswer } from "../target/no-answer.ts";
import { Run } from "../session/run.ts";
import { INTERRUPTED, type Session } from "../session/session.ts";
import { toReportedExchange } from "./reported-exchange.ts";
import { NotApplicable, NotOffered, Undecidable, Violation } from "../target/violation.ts";

/** Longer than any scenario takes, even on a slow deployment. */
const SCENARIO_MS = 180_000;
const CHECK_MS = 1000;
/** Maximum number of exchanges per finding. */
const SHOWN = 6;
/** Maximum number of findings per rule. */
const MAX_FINDINGS = 3;

/** Runs a rule's scenario. Never rejects: errors become part of the result. */
export async function checkScenario(session: Session, rule: ScenarioRule): Promise<RuleResult> {
  const startedAt = Date.now();
  const run = new Run(session);
  const ended = new AbortController();
  const outcome = await Promise.race([rule.check(run), expectInTime(run, ended.signal)]).then(
    () => ({ verdict: "pass", reason: null, findings: [] }) as const,
    (error: unknown) => toOutcome(session, rule, run.exchanges, error),
  );
  ended.abort();
  // A scenario that timed out must not send more requests.
  run.time.end(new Undecidable("The rule has ended."));
  await run[Symbol.asyncDispose]();
  return { rule: rule.id, ...outcome, durationMs: Date.now() - startedAt, opened: run.opened.length };
}

/** @throws {Undecidable} If the scenario takes too long. */
async function expectInTime({ time }: Run, signal: AbortSignal): Promise<void> {
  for (let leftMs = SCENARIO_MS; leftMs > 0; leftMs = SCENARIO_MS - time.workedMs) {
    await sleep(Math.max(leftMs, CHECK_MS), undefined, { signal });
  }
  throw new Undecidable(`The rule did not finish within ${SCENARIO_MS / 1000} s.`);
}

/**
 * Checks a rule against all exchanges so far. Without exchanges, the rule is skipped. If only previews break the rule,
 * the verdict is a warning.
 */
export function judgeExchanges(session: Session, rule: ExchangeRule): RuleResult {
  const startedAt = Date.now();
  if (session.exchanges.length === 0) {
    const reason = "The selected rules sent no requests that this rule could check.";
    return { rule: rule.id, verdict: "skip", reason, findings: [], durationMs: 0 };
  }
  const seen = new Set<string>();
  const findings: Finding[] = [];
  let verdict: RuleResult["verdict"] = "pass";
  for (const exchange of session.exchanges) {
    const complaint = rule.judge(exchange, session.options.contract);
    // Report each complaint only once per operation.
    const key = `${exchange.operation} ${complaint?.expected} ${complaint?.seen}`;
    if (complaint === undefined || seen.has(key)) continue;
    seen.add(key);
    const isPreview = exchange.operation !== undefined && operations[exchange.operation].isPreview;
    if (verdict !== "fail") verdict = isPreview ? "warn" : failureOf(rule);
    if (findings.length < MAX_FINDINGS) findings.push(toFinding(session, complaint, [exchange]));
  }
  return { rule: rule.id, verdict, reason: null, findings, durationMs: Date.now() - startedAt };
}

function toOutcome(
  session: Session,
  rule: Rule,
  exchanges: readonly Exchange[],
  error: unknown,
): Pick<RuleResult, "verdict" | "reason" | "skippedBy" | "findings"> {
  // An interruption closes the rule's browsers, so the resulting error is meaningless.
  if (session.isInterrupted) return { verdict: "inconclusive", reason: INTERRUPTED, findings: [] };
  const { contract, lacks = [] } = session.options;
  if (error instanceof NotOffered && includes(contract, "1.1") && !lacks.includes(error.capability)) {
    const reason = `${error.message} The deployment doesn't declare in x-capabilities that it lacks ${error.capability}.`;
    return { verdict: "inconclusive", reason: session.redact(reason), findings: [] };
  }
  if (error instanceof NotApplicable) {
    const { message, skippedBy } = error;
    return { verdict: "skip", reason: session.redact(message), skippedBy, findings: [] };
  }
  if (error instanceof Undecidable || (error instanceof NoAnswer && !error.isReached)) {
    return { verdict: "inconclusive", reason: session.redact(error.message), findings: [] };
  }
  const complaint = toComplaint(error);
  if (complaint !== undefined) {
    const { exchanges: shown, at = Infinity } = error instanceof Violation ? error : {};
    const before = exchanges.filter(({ endedAt }) => endedAt <= at).slice(-SHOWN);
    const findings = [toFinding(session, complaint, shown ?? before)];
    return { verdict: failureOf(rule), reason: null, findings };
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { verdict: "inconclusive", reason: `The check itself failed: ${session.redact(text)}`, findings: [] };
}

function toComplaint(error: unknown): Complaint | undefined {
  if (error instanceof Violation) return error.complaint;
  if (error instanceof NoAnswer && error.isReached) return { expected: error.expected, seen: error.message };
  return undefined;
}

function toFinding(session: Session, complaint: Complaint, exchanges: readonly Exchange[]): Finding {
  return {
    expected: session.redact(complaint.expected),
    seen: session.redact(complaint.seen),
    exchanges: exchanges.map((exchange) => toReportedExchange(exchange, session.secrets)),
  };
}

function failureOf({ level }: Rule): "warn" | "fail" {
  return level === "recommended" ? "warn" : "fail";
}
