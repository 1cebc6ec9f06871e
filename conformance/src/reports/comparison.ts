import type { Verdict } from "../run/verdict.ts";
import type { ReportedRule, RunReport } from "./report.ts";

/** The ways a rule's result can change between two runs, in report order. */
const CHANGES = [
  "newly failing",
  "newly warned about",
  "newly inconclusive",
  "newly skipped",
  "fixed",
  "newly passing",
  "new",
  "removed",
] as const;
export type Change = (typeof CHANGES)[number];

export type ChangedRule = {
  readonly id: string;
  readonly sentence: string;
  /** Null if the rule did not exist in the previous run. */
  readonly before: Verdict | null;
  /** Null if the rule no longer exists. */
  readonly now: Verdict | null;
};

/** The differences between a run and an earlier one. */
export type Comparison = {
  readonly previous: Pick<RunReport, "startedAt" | "verdict">;
  /** Sentences about differences that make the runs hard to compare, such as another deployment or profile. */
  readonly caveats: readonly string[];
  /** Without empty groups. */
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
      ...differs("tested another deployment", previous.target.baseUrl, current.target.baseUrl),
      ...differs("used another profile", previous.profile, current.profile),
      ...differs("used another contract version", previous.contract.version, current.contract.version),
      ...differs("used another version of the suite", previous.tool.version, current.tool.version),
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
      return "newly warned about";
    case "inconclusive":
      return "newly inconclusive";
    case "skip":
      return "newly skipped";
    case "pass":
      return before === "fail" || before === "warn" ? "fixed" : "newly passing";
  }
}

function toChanged(before: ReportedRule | undefined, now: ReportedRule | undefined): ChangedRule {
  const { id, sentence } = now ?? before ?? { id: "", sentence: "" };
  return { id, sentence, before: before?.verdict ?? null, now: now?.verdict ?? null };
}

function differs(how: string, before: string, now: string): readonly string[] {
  return before === now ? [] : [`The previous run ${how}: ${before}, now ${now}.`];
}
