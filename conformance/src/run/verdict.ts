import type { RuleId } from "../contract/vocabulary.ts";

/** The result of a rule, from best to worst. `skip` and `inconclusive` come with a reason. */
export type Verdict = "pass" | "skip" | "warn" | "fail" | "inconclusive";

/**
 * Why a rule was skipped: the user selected other rules, the rule doesn't apply to the deployment (for example because
 * its contract version doesn't have the rule), the profile excludes it, the deployment declares that it lacks the
 * capability, or something that the rule needs is missing. Only `missing` leaves a run incomplete.
 */
export type SkipCause = "selection" | "inapplicable" | "profile" | "not offered" | "missing";

/** A request and its response as shown in reports, without tokens, addresses and passwords. */
export type ReportedExchange = {
  /** `POST /api/v1/Browser/Open` */
  readonly request: string;
  readonly sent: string | null;
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly received: string;
  readonly curl: string;
};

/** A way in which the implementation breaks a rule. */
export type Finding = {
  readonly expected: string;
  readonly seen: string;
  /** The exchanges that led to the finding, oldest first. The last exchange shows the violation. */
  readonly exchanges: readonly ReportedExchange[];
};

export type RuleResult = {
  readonly rule: RuleId;
  readonly verdict: Verdict;
  /** The reason for `skip` or `inconclusive`, otherwise null. */
  readonly reason: string | null;
  readonly findings: readonly Finding[];
  readonly durationMs: number;
  /** Why the rule was skipped, if it was. Default: `missing`. */
  readonly skippedBy?: SkipCause;
  /** Number of browsers that the rule opened. Default: 0. */
  readonly opened?: number;
};
