import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FuzzerChoice } from "../options.ts";
import type { FuzzRule } from "../rules/rule.ts";
import type { RuleResult } from "../run/verdict.ts";
import type { RunOptions } from "../session/run-options.ts";
import { INTERRUPTED, Session } from "../session/session.ts";
import { closeOpened, toOpened } from "./close-opened.ts";
import { FILES, toCommand } from "./command.ts";
import { type Tool, findTool } from "./find-tool.ts";
import { toFuzzContract } from "./fuzz-contract.ts";
import { run } from "./run-command.ts";
import { learnFrom, toFindings } from "./to-findings.ts";
import { type ToolReport, readToolReport } from "./tool-report.ts";
import { whyInconclusive } from "./why-inconclusive.ts";

/** Time limit in ms, sufficient for slow deployments. With a rate limit, the time for `REQUESTS` requests is added. */
const RUN_MS = 600_000;
const REQUESTS = 1500;
/** Number of characters shown from the start of a long reason, whose end shows the tool's error. */
const BEGINNING = 300;
const END = 400;

type FuzzOptions = RunOptions & { readonly fuzzer: FuzzerChoice };

/**
 * Runs Schemathesis and converts its report to results. Never rejects because of errors in the deployment or the tool.
 * @param onResult Called with each result when the run ends.
 * @param interruption Aborting it stops the run and closes its browsers.
 */
export async function runSchemathesis(
  options: FuzzOptions,
  rules: readonly FuzzRule[],
  onResult: (result: RuleResult) => void,
  interruption?: AbortSignal,
): Promise<RuleResult[]> {
  const startedAt = Date.now();
  const judge = await explore(options, interruption);
  const results = rules.map((rule, index): RuleResult => {
    const { opened, ...outcome } = judge(rule);
    // All rules share one run, so divide its duration among them, and attribute its browsers to the first rule.
    const durationMs = Math.round((Date.now() - startedAt) / rules.length);
    return { rule: rule.id, ...outcome, durationMs, ...(index === 0 && { opened }) };
  });
  for (const result of results) onResult(result);
  return results;
}

type Outcome = Pick<RuleResult, "verdict" | "reason" | "findings"> & { readonly opened: number };

async function explore(
  options: FuzzOptions,
  interruption: AbortSignal | undefined,
): Promise<(rule: FuzzRule) => Outcome> {
  const found = await findTool(options.fuzzer, interruption);
  if (interruption?.aborted === true) {
    return () => ({ verdict: "inconclusive", reason: INTERRUPTED, findings: [], opened: 0 });
  }
  if ("why" in found) return () => ({ verdict: "skip", reason: found.why, findings: [], opened: 0 });
  const session = new Session(options);
  const report = await play(found.tool, options, interruption);
  learnFrom(report, session.secrets);
  await closeOpened(session, report);
  return (rule) => toOutcome(rule, report, session, interruption?.aborted === true);
}

/** Runs the tool, reads its report, and removes the files, because the files contain addresses. */
async function play(tool: Tool, options: FuzzOptions, interruption: AbortSignal | undefined): Promise<ToolReport> {
  const folder = await mkdtemp(join(tmpdir(), "rbs-fuzz-"));
  await using held = new AsyncDisposableStack();
  held.defer(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, FILES.contract), JSON.stringify(toFuzzContract(options.contract)));
  await writeFile(join(folder, FILES.notes), "", { mode: 0o600 });
  await writeFile(join(folder, FILES.foreign), JSON.stringify(options.foreign ?? []), { mode: 0o600 });
  const problem = await start(tool, options, folder, interruption);
  const report = await readToolReport(folder);
  return { ...report, problems: [...problem, ...report.problems] };
}

/** @returns Why the tool failed or was stopped. Empty if the tool succeeded. */
async function start(
  tool: Tool,
  options: FuzzOptions,
  folder: string,
  interruption: AbortSignal | undefined,
): Promise<string[]> {
  const { env } = options.fuzzer;
  const name = `rbs-fuzz-${randomBytes(4).toString("hex")}`;
  const command = toCommand(tool, options, { folder, name, env });
  const timeoutMs = RUN_MS + (options.rate === undefined ? 0 : (REQUESTS * 1000) / options.rate);
  const ended = await run(command.command, { timeoutMs, cwd: folder, env: command.env, interruption });
  const { code, stdout, stderr, isLate } = ended;
  const isLeft = isLate || interruption?.aborted === true;
  if (isLeft && tool.kind === "docker") await run(["docker", "rm", "--force", name], { timeoutMs: RUN_MS, env });
  if (isLate) return [`The tool did not finish within ${Math.round(timeoutMs / 1000)} s.`];
  // Exit code 1 means failed checks or warnings, which the summary lists.
  if (code === 0 || code === 1) return [];
  return [`The tool exited with ${code ?? "a signal"}: ${`${stdout}\n${stderr}`.trim()}`];
}

function toOutcome(rule: FuzzRule, report: ToolReport, session: Session, isInterrupted: boolean): Outcome {
  const { options } = session;
  const { made, findings } = toFindings(report, rule, { token: options.token, secrets: session.secrets });
  const opened = toOpened(report).length;
  if (findings.length > 0) {
    return { verdict: rule.level === "recommended" ? "warn" : "fail", reason: null, findings, opened };
  }
  const why = isInterrupted ? INTERRUPTED : whyInconclusive(rule, report, made);
  if (why === undefined) return { verdict: "pass", reason: null, findings, opened };
  // Redact first: a truncated secret would not be recognized.
  return { verdict: "inconclusive", reason: shorten(session.redact(why)), findings, opened };
}

function shorten(text: string): string {
  return text.length <= BEGINNING + END ? text : `${text.slice(0, BEGINNING)} … ${text.slice(-END)}`;
}
