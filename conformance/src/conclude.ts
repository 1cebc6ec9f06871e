import { isOfLaterVersion } from "./plan.ts";
import type { Rule } from "./registry/rule.ts";
import type { Conclusion, Counts, ReportedRule } from "./reports/report.ts";

/** Exit codes. */
const EXIT = { "known failures": 0, conformant: 0, "not proven": 0, "not conformant": 1, inconclusive: 2 } as const;
const EXIT_NOT_PROVEN = 3;

export type Verdict = {
  readonly verdict: Conclusion;
  readonly why: string | null;
  readonly exitCode: number;
};

export function countRules(rules: readonly ReportedRule[]): Counts {
  const count = (holds: (rule: ReportedRule) => boolean): number => rules.filter(holds).length;
  return {
    pass: count(({ verdict }) => verdict === "pass"),
    warn: count(({ verdict }) => verdict === "warn"),
    fail: count(({ verdict }) => verdict === "fail"),
    skip: count(({ verdict }) => verdict === "skip"),
    inconclusive: count(({ verdict }) => verdict === "inconclusive"),
    // A deployment does not have to follow rules of a version that it does not implement.
    notProven: count(
      ({ verdict, level, reason }) => verdict === "skip" && isBinding(level) && !isOfLaterVersion(reason),
    ),
    decisionFailures: count(({ verdict, level }) => verdict === "fail" && level === "decision"),
    knownFailures: count(({ verdict, knownFailure }) => verdict === "fail" && knownFailure !== null),
  };
}

/**
 * The verdict on a whole implementation. Failures come before inconclusive rules, and those before rules that were not
 * tested.
 */
export function conclude(rules: readonly ReportedRule[], { isStrict }: { readonly isStrict: boolean }): Verdict {
  const { fail, knownFailures, notProven } = countRules(rules);
  const inconclusive = rules.filter(({ verdict, level }) => verdict === "inconclusive" && isBinding(level)).length;
  if (fail > knownFailures) return { verdict: "not conformant", why: null, exitCode: EXIT["not conformant"] };
  if (inconclusive > 0) {
    const why = `${inconclusive === 1 ? "One rule" : `${inconclusive} rules`} could not be decided.`;
    return { verdict: "inconclusive", why, exitCode: EXIT.inconclusive };
  }
  const strict = notProven > 0 && isStrict ? EXIT_NOT_PROVEN : undefined;
  if (fail > 0) return { verdict: "known failures", why: null, exitCode: strict ?? EXIT["known failures"] };
  if (notProven > 0) return { verdict: "not proven", why: null, exitCode: strict ?? EXIT["not proven"] };
  return { verdict: "conformant", why: null, exitCode: EXIT.conformant };
}

/** Only required rules and decisions count towards conformance, not recommendations. */
function isBinding(level: Rule["level"]): boolean {
  return level !== "recommended";
}
