import type { Finding, ReportedExchange, Verdict } from "../run/verdict.ts";
import { parse, toObject } from "../target/json.ts";
import { CAPABILITIES, type Layer, type Level } from "../contract/vocabulary.ts";
import type { CapabilityConclusion, Conclusion, Counts, ReportedRule, RunReport } from "./report.ts";

/** The exit code of each verdict. */
const EXIT: Readonly<Record<Conclusion, number>> = {
  conformant: 0,
  passed: 0,
  "known failures": 0,
  "not conformant": 1,
  inconclusive: 2,
  incomplete: 3,
};

export function countRules(rules: readonly ReportedRule[]): Counts {
  const those = (holds: (rule: ReportedRule) => boolean): number => rules.filter(holds).length;
  return {
    pass: those(({ verdict }) => verdict === "pass"),
    warn: those(({ verdict }) => verdict === "warn"),
    fail: those(({ verdict }) => verdict === "fail"),
    skip: those(({ verdict }) => verdict === "skip"),
    inconclusive: those(({ verdict }) => verdict === "inconclusive"),
    untested: those(({ level, skippedBy }) => skippedBy === "missing" && isBinding(level)),
    decisionFailures: those(({ verdict, level }) => verdict === "fail" && level === "decision"),
    knownFailures: those(({ verdict, knownFailure }) => verdict === "fail" && knownFailure !== null),
  };
}

/** What the user selected: the profile, and rules if there are any. */
export type Selection = {
  readonly profile: string;
  /** The values of `--rule`. */
  readonly rules: readonly string[];
  /** Whether the run is a success if all rules that ran passed, even if others could not run. */
  readonly isPartial: boolean;
};

/**
 * Determines the implementation's verdict on what the user selected. Failures take precedence over inconclusive rules,
 * and inconclusive rules over untested rules. A capability of which no rule ran, for example because its accounts have
 * no token, doesn't make the run incomplete: the verdict names the capabilities that it is about.
 */
export function conclude(
  rules: readonly ReportedRule[],
  selection: Selection,
): Pick<RunReport, "verdict" | "why" | "exitCode" | "capabilities"> {
  const selected = rules.filter(({ skippedBy }) => skippedBy !== "selection" && skippedBy !== "inapplicable");
  const ran = new Set(selected.flatMap(({ verdict, capability }) => (verdict === "skip" ? [] : [capability])));
  const tested = ran.size === 0 ? selected : selected.filter(({ capability }) => ran.has(capability));
  const whole = judge(tested);
  const isPart = whole === "incomplete" || (selection.rules.length > 0 && EXIT[whole] === 0);
  const isIncomplete = isPart && !selection.isPartial;
  const verdict = isIncomplete ? "incomplete" : isPart && whole !== "known failures" ? "passed" : whole;
  const capabilities = CAPABILITIES.flatMap((capability): CapabilityConclusion[] => {
    const own = selected.filter((rule) => rule.capability === capability);
    return own.length === 0 ? [] : [{ capability, ...concludeCapability(own, selection) }];
  });
  const proven = toProven(capabilities);
  const why = isIncomplete && whole !== "incomplete" ? ONLY_SELECTED : explain(verdict, selected, selection, proven);
  return { verdict, why, exitCode: EXIT[verdict], capabilities };
}

const ONLY_SELECTED = "No rule failed, but only the rules of --rule were tested. If that is enough, add --partial.";

function judge(rules: readonly ReportedRule[]): Conclusion {
  const { fail, knownFailures, untested } = countRules(rules);
  if (fail > knownFailures) return "not conformant";
  if (rules.some(({ verdict, level }) => verdict === "inconclusive" && isBinding(level))) return "inconclusive";
  if (untested > 0) return "incomplete";
  if (fail > 0) return "known failures";
  return rules.some(({ skippedBy }) => skippedBy === "profile") ? "passed" : "conformant";
}

function concludeCapability(
  rules: readonly ReportedRule[],
  selection: Selection,
): Pick<CapabilityConclusion, "verdict" | "why"> {
  if (rules.every(({ verdict }) => verdict === "skip")) {
    const isOffered = rules.some(({ skippedBy }) => skippedBy !== "not offered");
    if (!isOffered) return { verdict: "not offered", why: null };
    const isMissing = rules.every(({ skippedBy }) => skippedBy === "missing");
    const missing = `${count(rules.length, "rule")}. ${tellMissing(rules)}`;
    return { verdict: "not tested", why: isMissing ? missing : (toSkips(rules)[0]?.[0] ?? null) };
  }
  const verdict = judge(rules);
  const { warn } = countRules(rules);
  const warnings = warn === 0 ? null : `${count(warn, "recommendation")} not followed.`;
  return { verdict, why: verdict === "conformant" ? warnings : explain(verdict, rules, selection) };
}

/** Explains a verdict without repeating it. */
function explain(
  verdict: Conclusion,
  rules: readonly ReportedRule[],
  { profile }: Selection,
  proven: readonly string[] = [],
): string {
  const counts = countRules(rules);
  const { pass, warn, inconclusive, untested, knownFailures } = counts;
  const warnings = warn === 0 ? "" : `; ${count(warn, "recommendation")} not followed`;
  switch (verdict) {
    case "conformant": {
      const { skip } = counts;
      const skipped = skip === 0 ? "" : `; ${skip} of other capabilities ${skip === 1 ? "was" : "were"} not tested`;
      return `${count(pass, "rule")} passed and 0 failed${skipped}${warnings}.`;
    }
    case "passed": {
      const outside = rules.filter(({ skippedBy }) => skippedBy === "profile").length;
      const excluded =
        outside === 0 ? "" : `; ${outside} ${outside === 1 ? "isn't" : "aren't"} in the ${profile} profile`;
      const missing = untested === 0 ? "" : `; ${untested} could not be tested`;
      return `${pass} of ${count(pass + warn, "rule")} passed${excluded}${missing}${warnings}.`;
    }
    case "known failures":
      return `${count(knownFailures, "rule")} failed for known reasons, and no other rule failed${warnings}.`;
    case "incomplete": {
      const parts =
        proven.length === 0 ? "" : `; ${proven.join(", ")} ${proven.length === 1 ? "is" : "are"} conformant`;
      const failed =
        knownFailures === 0 ? "0 rules failed" : `${count(knownFailures, "rule")} failed for known reasons`;
      const missing = `${count(untested, "rule")} ${untested === 1 ? "was" : "were"} not tested`;
      return `${failed}${parts}, but ${missing}. ${tellMissing(rules)}`;
    }
    case "not conformant": {
      const ofDecisions = rules.filter((rule) => endingOf(rule) === "fail" && rule.level === "decision").length;
      const decisions = ofDecisions === 0 ? "" : `, including ${count(ofDecisions, "decision")} of this contract`;
      const known = knownFailures === 0 ? "" : `, plus ${count(knownFailures, "known failure")}`;
      const ran = rules.length - counts.skip;
      return `${unknownFailures(counts)} of ${count(ran, "tested rule")} failed${decisions}${known}.`;
    }
    case "inconclusive":
      return `${inconclusive === 1 ? "One rule" : `${inconclusive} rules`} could not be evaluated.`;
  }
}

/** Says what to add to test the rules that were skipped because something was missing. */
function tellMissing(rules: readonly ReportedRule[]): string {
  const missing = rules.filter(({ skippedBy, level }) => skippedBy === "missing" && isBinding(level));
  const [needing, others] = [new Set<string>(), new Set<string>()];
  for (const { reason } of missing) {
    const options = reason?.startsWith("It needs --") === true ? reason.match(/--[a-z-]+/g) : null;
    if (options === null) others.add(reason ?? "");
    else for (const option of options) needing.add(option);
  }
  return [...(needing.size > 0 ? [`Add ${[...needing].join(" ")}.`] : []), ...others].join(" ");
}

/** Only required rules and decisions count towards conformance, not recommendations. */
function isBinding(level: Level): boolean {
  return level !== "recommended";
}

/** Returns the verdict as a title: `passed (smoke)`, or `conformant in core, idle` if not all capabilities are. */
export function toTitle({
  verdict,
  profile,
  capabilities,
}: Pick<RunReport, "verdict" | "profile" | "capabilities">): string {
  if (verdict === "passed") return `passed (${profile})`;
  const proven = toProven(capabilities);
  return verdict === "conformant" && proven.length < CAPABILITIES.length
    ? `conformant in ${proven.join(", ")}`
    : verdict;
}

function toProven(capabilities: readonly CapabilityConclusion[]): readonly string[] {
  return capabilities.filter(({ verdict }) => verdict === "conformant").map(({ capability }) => capability);
}

/** The possible verdicts on a rule, with known failures separate, most relevant first. */
export const ENDINGS = ["pass", "fail", "known", "warn", "inconclusive", "skip"] as const;
export type Ending = Verdict | "known";

export function endingOf({ verdict, knownFailure }: Pick<ReportedRule, "verdict" | "knownFailure">): Ending {
  return verdict === "fail" && knownFailure !== null ? "known" : verdict;
}

export function countEndings(counts: Counts): Readonly<Record<Ending, number>> {
  const { pass, warn, skip, inconclusive, knownFailures } = counts;
  return { pass, warn, skip, inconclusive, fail: unknownFailures(counts), known: knownFailures };
}

/** Returns a number with its noun: `1 rule`, `2 rules`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}

/** Returns the number of failures that the expected-failures file does not list. */
export function unknownFailures({ fail, knownFailures }: Counts): number {
  return fail - knownFailures;
}

/** Lists failed rules: known failures last, required rules before decisions. */
export function toFailing(rules: readonly ReportedRule[]): readonly ReportedRule[] {
  const rank = ({ level, knownFailure }: ReportedRule): number =>
    (knownFailure === null ? 0 : 2) + (level === "required" ? 0 : 1);
  return rules.filter(({ verdict }) => verdict === "fail").toSorted((one, other) => rank(one) - rank(other));
}

/**
 * Groups rules whose results have the same cause: the same reason, or the same response to the same request.
 * @returns Groups in the order of their first rules.
 */
export function groupByCause(rules: readonly ReportedRule[]): readonly (readonly ReportedRule[])[] {
  const causeOf = ({ id, reason, findings: [finding] }: ReportedRule): string =>
    reason ?? (finding === undefined ? id : `${finding.exchanges.at(-1)?.request} → ${finding.seen}`);
  return [...Map.groupBy(rules, causeOf).values()];
}

/** Returns the server's own message in the response that shows a finding; undefined if there is none. */
export function toMessage({ exchanges }: Finding): string | undefined {
  const { message } = toObject(parse(exchanges.at(-1)?.received ?? ""));
  return typeof message === "string" ? message : undefined;
}

/** Lists rules that pass even though the expected-failures file lists them. */
export function toOutdated(rules: readonly ReportedRule[]): readonly ReportedRule[] {
  return rules.filter(({ verdict, knownFailure }) => verdict === "pass" && knownFailure !== null);
}

/** Selects the exchanges that reproduce a finding: the last exchange, or for a random sequence, all exchanges. */
export function toShowing(layer: Layer, exchanges: readonly ReportedExchange[]): readonly ReportedExchange[] {
  return layer === "model" ? exchanges : exchanges.slice(-1);
}

/** Groups skipped rules by reason, the largest group first. */
export function toSkips(rules: readonly ReportedRule[]): readonly (readonly [string, readonly ReportedRule[]])[] {
  const skipped = rules.filter(({ verdict }) => verdict === "skip");
  const groups = Map.groupBy(skipped, ({ reason }) => reason ?? "No reason was given.");
  return [...groups].toSorted(([, one], [, other]) => other.length - one.length);
}
