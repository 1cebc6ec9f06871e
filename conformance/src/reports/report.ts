import type { Capability, Layer, Level, RuleId } from "../registry/vocabulary.ts";
import type { Finding, Verdict } from "../registry/verdict.ts";

/** Increases when readers of `report.schema.json` must change. */
export const REPORT_SCHEMA_VERSION = 1;

/** The verdict on the whole implementation. */
export type Conclusion = "conformant" | "not proven" | "known failures" | "not conformant" | "inconclusive";

/** The number of rules per result. */
export type Counts = {
  readonly pass: number;
  readonly warn: number;
  /** All failures, including known failures and decisions. */
  readonly fail: number;
  readonly skip: number;
  readonly inconclusive: number;
  /** Skipped rules that are required or decisions. Conformance is not proven while there are any. */
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
  /** The operations that the rule is about. Empty if it concerns all operations or none. */
  readonly operations: readonly string[];
  readonly verdict: Verdict;
  /** The reason for `skip` or `inconclusive`, otherwise null. */
  readonly reason: string | null;
  readonly findings: readonly Finding[];
  readonly durationMs: number;
  /** The reason in the expected-failures file, whatever the verdict is. Null if the rule is not listed. */
  readonly knownFailure: string | null;
};

/** The result of a run. All reports are rendered from it. */
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
  /** Prefix of the labels of all browsers that the run opened. */
  readonly labelPrefix: string;
  /** Browsers: the planned maximum, and how many were opened. */
  readonly opens: { readonly planned: number; readonly used: number };
  readonly verdict: Conclusion;
  /** Explains the verdict in one sentence. Null if the counts are sufficient. */
  readonly why: string | null;
  readonly exitCode: number;
  readonly counts: Counts;
  /**
   * Browsers that were left open, and other differences between the lists before and after the run. Empty if there are
   * none.
   */
  readonly leftBehind: readonly string[];
  readonly rules: readonly ReportedRule[];
};

/** File paths of the reports. Undefined means that the report is not written. */
export type ReportPaths = {
  readonly html?: string | undefined;
  readonly junit?: string | undefined;
  readonly json?: string | undefined;
  readonly badge?: string | undefined;
};
