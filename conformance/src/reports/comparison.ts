import type { Verdict } from "../registry/verdict.ts";
import type { ReportedRule, RunReport } from "./report.ts";

/** What may happen to a rule from one run to the next, in the order in which reports tell it. */
export const CHANGES = [
  "newly failing",
  "newly warned of",
  "newly inconclusive",
  "newly skipped",
  "fixed",
  "now tried, and passed",
  "new",
  "removed",
] as const;
export type Change = (typeof CHANGES)[number];

export type ChangedRule = {
  readonly id: string;
  readonly sentence: string;
  /** Null where there was no such rule. */
  readonly before: Verdict | null;
  /** Null where there is none any more. */
  readonly now: Verdict | null;
};

/** How a run differs from an earlier one. */
export type Comparison = {
  readonly previous: Pick<RunReport, "startedAt" | "verdict">;
  /** What makes the two hard to compare: another deployment, another profile. Sentences. */
  readonly caveats: readonly string[];
  /** Only changes that occur. */
  readonly changes: ReadonlyMap<Change, readonly ChangedRule[]>;
};

export function compareReports(previous: RunReport, current: RunReport): Comparison {
  const before = new Map(previous.rules.map((rule) => [rule.id, rule]));
  const now = new Map(current.rules.map((rule) => [rule.id, rule]));
  const changed = [...new Set([...now.keys(), ...before.keys()])].flatMap((id) => {
    const change = changeOf(before.get(id)?.verdict, now.get(id)?.verdict);
    return change === undefined ? [] : [[change, toChanged(before.get(id), now.get(id))] as const];
  });
  const found = CHANGES.map(
    (each) => [each, changed.filter(([change]) => change === each).map(([, rule]) => rule)] as const,
  );
  return {
    previous: { startedAt: previous.startedAt, verdict: previous.verdict },
    caveats: [
      ...differs("was of another deployment", previous.target.baseUrl, current.target.baseUrl),
      ...differs("had another profile", previous.profile, current.profile),
      ...differs("was of another version of the contract", previous.contract.version, current.contract.version),
      ...differs("was made by another version of the suite", previous.tool.version, current.tool.version),
    ],
    changes: new Map(found.filter(([, rules]) => rules.length > 0)),
  };
}

function changeOf(before: Verdict | undefined, now: Verdict | undefined): Change | undefined {
  if (before === now) return undefined;
  if (before === undefined) return "new";
  switch (now) {
    case undefined:
      return "removed";
    case "fail":
      return "newly failing";
    case "warn":
      return "newly warned of";
    case "inconclusive":
      return "newly inconclusive";
    case "skip":
      return "newly skipped";
    case "pass":
      return before === "fail" || before === "warn" ? "fixed" : "now tried, and passed";
  }
}

function toChanged(before: ReportedRule | undefined, now: ReportedRule | undefined): ChangedRule {
  const { id, sentence } = now ?? before ?? { id: "", sentence: "" };
  return { id, sentence, before: before?.verdict ?? null, now: now?.verdict ?? null };
}

function differs(how: string, before: string, now: string): readonly string[] {
  return before === now ? [] : [`The previous run ${how}: ${before}, now ${now}.`];
}
