import type { Capability, Layer, Level, RuleId } from "../contract/vocabulary.ts";
import type { Finding, SkipCause, Verdict } from "../run/verdict.ts";

/** Incremented with each breaking change to `report.schema.json`. */
export const REPORT_SCHEMA_VERSION = 2;

/**
 * The verdict on everything that the user selected. `passed` means that no rule failed, but the profile or `--rule`
 * excluded some; `incomplete`, that something was missing which rules needed.
 */
export type Conclusion = "conformant" | "passed" | "known failures" | "incomplete" | "not conformant" | "inconclusive";

/** The verdict on a capability. */
export type CapabilityConclusion = {
  readonly capability: Capability;
  readonly verdict: Conclusion | "not tested" | "not offered";
  /** One sentence that explains the verdict; null for `conformant` and `not offered`. */
  readonly why: string | null;
};

/** The number of rules per result. */
export type Counts = {
  readonly pass: number;
  readonly warn: number;
  /** All failures, including known and decision failures. */
  readonly fail: number;
  readonly skip: number;
  readonly inconclusive: number;
  /** Required rules and decisions that were skipped because something that they need was missing. */
  readonly untested: number;
  /** Failures of rules with the level `decision`. */
  readonly decisionFailures: number;
  /** Failures that the expected-failures file lists. */
  readonly knownFailures: number;
};

/** A rule and its result. */
export type ReportedRule = {
  readonly id: RuleId;
  readonly level: Level;
  readonly capability: Capability;
  readonly layer: Layer;
  readonly sentence: string;
  /** JSON Pointer to the sentence in the contract. */
  readonly at: string;
  /** The operations that the rule is about. Empty if the rule concerns all operations or none. */
  readonly operations: readonly string[];
  readonly verdict: Verdict;
  /** The reason for `skip` or `inconclusive`, otherwise null. */
  readonly reason: string | null;
  /** The kind of reason for `skip`, otherwise null. */
  readonly skippedBy: SkipCause | null;
  readonly findings: readonly Finding[];
  readonly durationMs: number;
  /** The reason in the expected-failures file, regardless of the verdict. Null if the rule is not listed. */
  readonly knownFailure: string | null;
};

/** The result of a run, from which all reports are rendered. */
export type RunReport = {
  readonly schemaVersion: typeof REPORT_SCHEMA_VERSION;
  readonly tool: { readonly name: string; readonly version: string };
  readonly contract: { readonly title: string; readonly version: string };
  /** Without credentials. */
  readonly target: { readonly baseUrl: string };
  /** RFC 3339, UTC. */
  readonly startedAt: string;
  readonly durationMs: number;
  readonly profile: string;
  readonly seed: number;
  /** Label prefix for all browsers that the run opened. */
  readonly labelPrefix: string;
  /** The planned maximum number of browsers, and how many browsers were opened. */
  readonly opens: { readonly planned: number; readonly used: number };
  readonly verdict: Conclusion;
  /** One sentence that explains the verdict. */
  readonly why: string;
  readonly exitCode: number;
  /** The verdict on each capability of which the user selected rules. */
  readonly capabilities: readonly CapabilityConclusion[];
  readonly counts: Counts;
  /**
   * Browsers that were left open, and other differences between the lists before and after the run; empty if there are
   * none.
   */
  readonly leftBehind: readonly string[];
  readonly rules: readonly ReportedRule[];
};

/** File paths of the reports. A report without a path is not written. */
export type ReportPaths = {
  readonly html?: string | undefined;
  readonly junit?: string | undefined;
  readonly json?: string | undefined;
  readonly badge?: string | undefined;
};
