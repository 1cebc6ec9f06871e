import type { RuleId } from "./vocabulary.ts";

/** How a rule ended, worst last. `skip` and `inconclusive` always say why. */
export type Verdict = "pass" | "skip" | "warn" | "fail" | "inconclusive";

/** A request and its answer as a report may show them: no token, address or password is in them. */
export type ReportedExchange = {
  /** `POST /api/v1/Browser/Open` */
  readonly request: string;
  readonly sent: string | null;
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly received: string;
  readonly curl: string;
};

/** One way in which an implementation breaks a rule. */
export type Finding = {
  readonly expected: string;
  readonly seen: string;
  /** What led there, oldest first; the last one shows it. */
  readonly exchanges: readonly ReportedExchange[];
};

export type RuleResult = {
  readonly rule: RuleId;
  readonly verdict: Verdict;
  /** Why it is `skip` or `inconclusive`; otherwise null. */
  readonly reason: string | null;
  readonly findings: readonly Finding[];
  readonly durationMs: number;
  /** Browsers that were opened for it; none unless it says so. */
  readonly opened?: number;
};
