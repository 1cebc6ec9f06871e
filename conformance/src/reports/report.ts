import type { Capability, Layer, Level, RuleId } from "../registry/vocabulary.ts";
import type { Finding, Verdict } from "../registry/verdict.ts";

/** Goes up whenever a reader of `report.schema.json` would have to change. */
export const REPORT_SCHEMA_VERSION = 1;

/** What a run says of the implementation as a whole. */
export const CONCLUSIONS = ["conformant", "not proven", "known failures", "not conformant", "inconclusive"] as const;
export type Conclusion = (typeof CONCLUSIONS)[number];

/** How many rules ended how. */
export type Counts = {
  readonly pass: number;
  readonly warn: number;
  /** All failures, known ones and those of decisions included. */
  readonly fail: number;
  readonly skip: number;
  readonly inconclusive: number;
  /** Skipped, and not just recommended: as long as there is one, conformance is not proven. */
  readonly notProven: number;
  /** Failures of rules where the source is silent and this contract decides. */
  readonly decisionFailures: number;
  /** Failures that the expected-failures file gives a reason for. */
  readonly knownFailures: number;
};

/** A rule, and how it ended. */
export type ReportedRule = {
  readonly id: RuleId;
  readonly level: Level;
  readonly capability: Capability;
  readonly layer: Layer;
  readonly sentence: string;
  /** JSON Pointer into the contract to where the sentence stands. */
  readonly at: string;
  /** The operations that carry the rule's id in the contract. */
  readonly operations: readonly string[];
  readonly verdict: Verdict;
  /** Why it is `skip` or `inconclusive`; otherwise null. */
  readonly reason: string | null;
  readonly findings: readonly Finding[];
  readonly durationMs: number;
  /** What the expected-failures file says of it, whatever the verdict is; null when it isn't in there. */
  readonly knownFailure: string | null;
};

/** Everything that a run has to say; all reports are views of it. */
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
  /** Begins the labels of all browsers that the run opened. */
  readonly labelPrefix: string;
  /** Browsers: how many the run might have opened, and how many it did. */
  readonly opens: { readonly planned: number; readonly used: number };
  readonly verdict: Conclusion;
  /** Why the verdict is what it is, in one sentence; null where the counts say it. */
  readonly why: string | null;
  readonly exitCode: number;
  readonly counts: Counts;
  /** What was still open at the end, and how the list differed from before, in words; empty when nothing was left. */
  readonly leftBehind: readonly string[];
  readonly rules: readonly ReportedRule[];
};
