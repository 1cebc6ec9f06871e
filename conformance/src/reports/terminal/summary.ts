import type { Finding } from "../../run/verdict.ts";
import { type Comparison } from "../comparison.ts";
import {
  count,
  countEndings,
  endingOf,
  ENDINGS,
  groupByCause,
  toFailing,
  toMessage,
  toOutdated,
  toShowing,
  toSkips,
  toTitle,
} from "../conclusion.ts";
import { toPrintable, toPrintableLine } from "../printable.ts";
import type { ReportedRule, RunReport } from "../report.ts";
import { CONCLUSION_FORMAT, newPaint, type Paint, ENDING_FORMAT } from "./style.ts";
import { hang, wrap } from "./wrap.ts";

type SummaryOptions = {
  readonly isColoured: boolean;
  /** Characters per line. */
  readonly width: number;
  readonly comparison?: Comparison | undefined;
  /** Whether to list the ids of skipped rules. */
  readonly isVerbose?: boolean;
};

/** Maximum line width. Longer lines are hard to read. */
const MAX_WIDTH = 110;
const INDENT = "      ";

/** Renders a run for the terminal: findings, skipped rules, and finally the verdict. */
export function renderSummary(report: RunReport, { isColoured, width, comparison, isVerbose }: SummaryOptions): string {
  const page = { paint: newPaint(isColoured), width: Math.min(Math.max(width, 40), MAX_WIDTH) };
  const ofVerdict = (verdict: ReportedRule["verdict"]): readonly ReportedRule[] =>
    report.rules.filter((rule) => rule.verdict === verdict);
  const blocks = [
    ...[toFailing(report.rules), ofVerdict("warn"), ofVerdict("inconclusive")]
      .flatMap(groupByCause)
      .flatMap(([first, ...others]) => (first === undefined ? [] : [renderRule(first, others, page)])),
    renderSkips(report, page, isVerbose === true),
    renderOutdated(report, page),
    renderLeftBehind(report, page),
    comparison === undefined ? [] : renderComparison(comparison, page),
    renderTotals(report, page),
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

type Page = { readonly paint: Paint; readonly width: number };

/** @param others Rules whose results have the same cause. Only their ids are shown. */
function renderRule(rule: ReportedRule, others: readonly ReportedRule[], page: Page): readonly string[] {
  const { id, level, capability, operations, sentence, reason, findings, knownFailure } = rule;
  const { paint, width } = page;
  const ending = endingOf(rule);
  const mark = paint(ENDING_FORMAT[ending], ending.toUpperCase());
  const facts = [level, capability, ...operations].join(" · ");
  return [
    `${mark} ${paint("bold", id)}  ${paint("dim", facts)}`,
    ...wrap(`“${toPrintableLine(sentence)}”`, width - INDENT.length).map((line) => `${INDENT}${line}`),
    ...(ending === "known" ? hang(`${INDENT}known     `, toPrintableLine(knownFailure ?? ""), width) : []),
    ...(reason === null ? [] : hang(`${INDENT}because   `, toPrintable(reason), width)),
    ...findings.flatMap((finding) => renderFinding(rule, finding, page)),
    ...(others.length === 0
      ? []
      : hang(
          `${INDENT}also in   `,
          `${count(others.length, "rule")}: ${others.map((one) => one.id).join(" ")}`,
          width,
        )),
  ];
}

function renderFinding({ layer }: ReportedRule, finding: Finding, { paint, width }: Page): readonly string[] {
  const { expected, seen, exchanges } = finding;
  const message = layer === "model" ? undefined : toMessage(finding);
  return [
    ...hang(`${INDENT}expected  `, toPrintable(expected), width),
    ...hang(`${INDENT}seen      `, toPrintable(seen), width),
    ...(message === undefined ? [] : hang(`${INDENT}message   `, toPrintable(message), width)),
    // The curl command is never wrapped, so that users can copy it.
    ...toShowing(layer, exchanges).map(({ curl }) => paint("dim", `${INDENT}${toPrintable(curl)}`)),
  ];
}

function renderSkips({ rules }: RunReport, { paint, width }: Page, isVerbose: boolean): readonly string[] {
  const groups = toSkips(rules);
  if (groups.length === 0) return [];
  const total = groups.reduce((sum, [, skipped]) => sum + skipped.length, 0);
  const lines = groups.flatMap(([reason, skipped]) => {
    const ids = isVerbose ? skipped.map(({ id }) => id).join(" ") : "";
    return [
      ...hang(`${String(skipped.length).padStart(4)}  `, toPrintableLine(reason), width),
      ...wrap(ids, width - INDENT.length).map((line) => paint("dim", `${INDENT}${line}`)),
    ];
  });
  return [paint("bold", `Skipped: ${count(total, "rule")}`), ...lines];
}

function renderOutdated({ rules }: RunReport, { paint, width }: Page): readonly string[] {
  const outdated = toOutdated(rules);
  if (outdated.length === 0) return [];
  const lines = outdated.flatMap(({ id, knownFailure }) =>
    hang(`  ${id}  `, `was: ${toPrintableLine(knownFailure ?? "")}`, width),
  );
  return [paint("bold", "These rules pass. Remove them from the expected-failures file"), ...lines];
}

function renderLeftBehind({ leftBehind }: RunReport, { paint, width }: Page): readonly string[] {
  if (leftBehind.length === 0) return [];
  return [paint("bold", "Left open"), ...leftBehind.flatMap((each) => hang("  ", toPrintableLine(each), width))];
}

function renderComparison({ previous, caveats, changes }: Comparison, { paint, width }: Page): readonly string[] {
  const head = `Since the run at ${toPrintableLine(previous.startedAt)} (${previous.verdict})`;
  const lines = [...changes].flatMap(([change, rules]) => {
    const isWorse = rules.some(({ now }) => now === "fail" || now === "warn" || now === "inconclusive");
    const groups = change === "new" ? Map.groupBy(rules, ({ now }) => `${now}:`) : new Map([["", rules]]);
    return [
      `${String(rules.length).padStart(4)}  ${paint(isWorse ? "bold" : [], change)}`,
      ...[...groups].flatMap(([ending, each]) => {
        const ids = each.map(({ id }) => id).join(" ");
        return wrap(`${ending} ${ids}`, width - INDENT.length).map((line) => `${INDENT}${line}`);
      }),
    ];
  });
  return [
    paint("bold", head),
    ...caveats.flatMap((each) => hang("  ", toPrintableLine(each), width)),
    ...(lines.length === 0 ? ["  All results are the same as in the previous run."] : lines),
  ];
}

function renderTotals(report: RunReport, { paint }: Page): readonly string[] {
  const { counts, opens, profile, seed, target, durationMs, verdict, why } = report;
  const endings = countEndings(counts);
  const ended = ENDINGS.filter((each) => endings[each] > 0).map((each) =>
    paint(ENDING_FORMAT[each], `${endings[each]} ${each}`),
  );
  const facts = [
    toPrintableLine(target.baseUrl),
    `profile ${profile}`,
    `seed ${seed}`,
    `${opens.used} of up to ${count(opens.planned, "browser")} opened`,
    `${(durationMs / 1000).toFixed(1)} s`,
  ];
  return [
    paint("dim", facts.join(" · ")),
    ended.join(" · "),
    ...renderCapabilities(report, paint),
    `${paint(CONCLUSION_FORMAT[verdict], toTitle(report).toUpperCase())}: ${toPrintableLine(why)}`,
  ];
}

/** Renders a line per capability, unless there is only one. */
function renderCapabilities({ capabilities }: RunReport, paint: Paint): readonly string[] {
  if (capabilities.length < 2) return [];
  const width = Math.max(...capabilities.map(({ capability }) => capability.length));
  return capabilities.map(({ capability, verdict, why }) => {
    const words = why === null ? verdict : `${verdict}: ${toPrintableLine(why)}`;
    return `  ${capability.padEnd(width)}  ${paint(CONCLUSION_FORMAT[verdict], words)}`;
  });
}
