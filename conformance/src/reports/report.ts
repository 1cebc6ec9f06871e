import type { Capability, Layer, Level, RuleId } from "../contract/vocabulary.ts";
import type { Finding, Verdict } from "../run/verdict.ts";

/** Incremented with each breaking change to `report.schema.json`. */
export const REPORT_SCHEMA_VERSION = 1;

/** The verdict on the whole implementation. */
export type Conclusion = "conformant" | "not proven" | "known failures" | "not conformant" | "inconclusive";

/** The number of rules per result. */
export type Counts = {
  readonly pass: number;
  readonly warn: number;
  /** All failures, including known and decision failures. */
  readonly fail: number;
  readonly skip: number;
  readonly inconclusive: number;
  /** Required rules and decisions that were skipped. Conformance is not proven unless the count is 0. */
  readonly notProven: number;
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
  /** One sentence that explains the verdict; null if the counts already do. */
  readonly why: string | null;
  readonly exitCode: number;
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
