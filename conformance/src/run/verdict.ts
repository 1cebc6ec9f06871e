import type { RuleId } from "../contract/vocabulary.ts";

/** The result of a rule, from best to worst. `skip` and `inconclusive` come with a reason. */
export type Verdict = "pass" | "skip" | "warn" | "fail" | "inconclusive";

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
  /** Number of browsers that the rule opened. Default: 0. */
  readonly opened?: number;
};
