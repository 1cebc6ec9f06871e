import type { ReportedExchange, Verdict } from "../registry/verdict.ts";
import type { Layer } from "../registry/vocabulary.ts";
import type { Counts, ReportedRule, RunReport } from "./report.ts";

/** How a rule ended, for people: a failure that somebody has given a reason for is another matter. In order of interest. */
export const ENDINGS = ["pass", "fail", "known", "warn", "inconclusive", "skip"] as const;
export type Ending = Verdict | "known";

export function endingOf({ verdict, knownFailure }: Pick<ReportedRule, "verdict" | "knownFailure">): Ending {
  return verdict === "fail" && knownFailure !== null ? "known" : verdict;
}

export function countEndings(counts: Counts): Readonly<Record<Ending, number>> {
  const { pass, warn, skip, inconclusive, knownFailures } = counts;
  return { pass, warn, skip, inconclusive, fail: unknownFailures(counts), known: knownFailures };
}

/** `1 rule`, `2 rules` */
export function count(number: number, one: string): string {
  return `${number} ${one}${number === 1 ? "" : "s"}`;
}

/** What the verdict means for this run, as one sentence without the verdict's own words. */
export function toExplanation({ counts, rules, verdict, why }: RunReport): string {
  return why ?? `${explain(verdict, counts, rules)}.`;
}

function explain(verdict: RunReport["verdict"], counts: Counts, rules: readonly ReportedRule[]): string {
  const { pass, warn, inconclusive, notProven, knownFailures } = counts;
  const warnings = warn === 0 ? "" : `; ${count(warn, "recommendation")} not followed`;
  switch (verdict) {
    case "conformant":
      return `${count(pass, "rule")} passed, none failed${warnings}`;
    case "not proven":
      return `nothing failed, and ${count(notProven, "rule")} that ${notProven === 1 ? "counts was" : "count were"} not tried${warnings}`;
    case "known failures":
      return `${count(knownFailures, "rule")} failed for ${knownFailures === 1 ? "a reason that is" : "reasons that are"} known, and no other did${warnings}`;
    case "not conformant": {
      const ofDecisions = rules.filter((rule) => endingOf(rule) === "fail" && rule.level === "decision").length;
      const decisions = ofDecisions === 0 ? "" : `, ${ofDecisions} where only this contract decides`;
      const known = knownFailures === 0 ? "" : `, besides ${knownFailures} known`;
      return `${count(unknownFailures(counts), "failure")} among ${count(rules.length, "rule")}${decisions}${known}`;
    }
    case "inconclusive":
      return `${count(inconclusive, "rule")} could not be decided`;
  }
}

/** How many failures nobody has given a reason for. */
export function unknownFailures({ fail, knownFailures }: Counts): number {
  return fail - knownFailures;
}

/** Failures without a reason first, and of these what the source requires before what the contract decides. */
export function toFailing(rules: readonly ReportedRule[]): readonly ReportedRule[] {
  const rank = ({ level, knownFailure }: ReportedRule): number =>
    (knownFailure === null ? 0 : 2) + (level === "required" ? 0 : 1);
  return rules.filter(({ verdict }) => verdict === "fail").toSorted((one, other) => rank(one) - rank(other));
}

/** Rules that the expected-failures file still lists though they pass. */
export function toOutdated(rules: readonly ReportedRule[]): readonly ReportedRule[] {
  return rules.filter(({ verdict, knownFailure }) => verdict === "pass" && knownFailure !== null);
}

/** What has to be sent again to see what was found: the last exchange, but the whole sequence where only that shows it. */
export function toShowing(layer: Layer, exchanges: readonly ReportedExchange[]): readonly ReportedExchange[] {
  return layer === "model" ? exchanges : exchanges.slice(-1);
}

/** What was skipped, by reason, the most frequent one first. */
export function toSkips(rules: readonly ReportedRule[]): readonly (readonly [string, readonly ReportedRule[]])[] {
  const skipped = rules.filter(({ verdict }) => verdict === "skip");
  const groups = Map.groupBy(skipped, ({ reason }) => reason ?? "No reason was given.");
  return [...groups].toSorted(([, one], [, other]) => other.length - one.length);
}
