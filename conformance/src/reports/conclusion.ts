import { isOfLaterVersion } from "../plan.ts";
import type { ReportedExchange, Verdict } from "../run/verdict.ts";
import type { Layer, Level } from "../contract/vocabulary.ts";
import type { Counts, ReportedRule, RunReport } from "./report.ts";

/** Exit codes. */
const EXIT = { "known failures": 0, conformant: 0, "not proven": 0, "not conformant": 1, inconclusive: 2 } as const;
const EXIT_NOT_PROVEN = 3;

export function countRules(rules: readonly ReportedRule[]): Counts {
  const those = (holds: (rule: ReportedRule) => boolean): number => rules.filter(holds).length;
  return {
    pass: those(({ verdict }) => verdict === "pass"),
    warn: those(({ verdict }) => verdict === "warn"),
    fail: those(({ verdict }) => verdict === "fail"),
    skip: those(({ verdict }) => verdict === "skip"),
    inconclusive: those(({ verdict }) => verdict === "inconclusive"),
    // A deployment doesn't have to follow rules of a contract version that it doesn't implement.
    notProven: those(
      ({ verdict, level, reason }) => verdict === "skip" && isBinding(level) && !isOfLaterVersion(reason),
    ),
    decisionFailures: those(({ verdict, level }) => verdict === "fail" && level === "decision"),
    knownFailures: those(({ verdict, knownFailure }) => verdict === "fail" && knownFailure !== null),
  };
}

/**
 * Determines the implementation's verdict. Failures take precedence over inconclusive rules, and inconclusive rules
 * over untested rules.
 */
export function conclude(
  rules: readonly ReportedRule[],
  { isStrict }: { readonly isStrict: boolean },
): Pick<RunReport, "verdict" | "why" | "exitCode"> {
  const { fail, knownFailures, notProven } = countRules(rules);
  const inconclusive = rules.filter(({ verdict, level }) => verdict === "inconclusive" && isBinding(level)).length;
  if (fail > knownFailures) return { verdict: "not conformant", why: null, exitCode: EXIT["not conformant"] };
  if (inconclusive > 0) {
    const why = `${inconclusive === 1 ? "One rule" : `${inconclusive} rules`} could not be evaluated.`;
    return { verdict: "inconclusive", why, exitCode: EXIT.inconclusive };
  }
  const strict = notProven > 0 && isStrict ? EXIT_NOT_PROVEN : undefined;
  if (fail > 0) return { verdict: "known failures", why: null, exitCode: strict ?? EXIT["known failures"] };
  if (notProven > 0) return { verdict: "not proven", why: null, exitCode: strict ?? EXIT["not proven"] };
  return { verdict: "conformant", why: null, exitCode: EXIT.conformant };
}

/** Only required rules and decisions count towards conformance, not recommendations. */
function isBinding(level: Level): boolean {
  return level !== "recommended";
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

/** Explains the verdict in one sentence without repeating the verdict. */
export function toExplanation({ counts, rules, verdict, why }: RunReport): string {
  return why ?? `${explain(verdict, counts, rules)}.`;
}

function explain(verdict: RunReport["verdict"], counts: Counts, rules: readonly ReportedRule[]): string {
  const { pass, warn, inconclusive, notProven, knownFailures } = counts;
  const warnings = warn === 0 ? "" : `; ${count(warn, "recommendation")} not followed`;
  switch (verdict) {
    case "conformant":
      return `${count(pass, "rule")} passed and 0 failed${warnings}`;
    case "not proven":
      return `0 rules failed, but ${count(notProven, "required rule or decision", "required rules or decisions")} ${notProven === 1 ? "was" : "were"} not tested${warnings}`;
    case "known failures":
      return `${count(knownFailures, "rule")} failed for known reasons, and no other rule failed${warnings}`;
    case "not conformant": {
      const ofDecisions = rules.filter((rule) => endingOf(rule) === "fail" && rule.level === "decision").length;
      const decisions = ofDecisions === 0 ? "" : `, including ${count(ofDecisions, "decision")} of this contract`;
      const known = knownFailures === 0 ? "" : `, plus ${count(knownFailures, "known failure")}`;
      return `${count(unknownFailures(counts), "failure")} among ${count(rules.length, "rule")}${decisions}${known}`;
    }
    case "inconclusive":
      return `${count(inconclusive, "rule")} could not be evaluated`;
  }
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
