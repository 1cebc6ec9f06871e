export { CAPABILITIES, LAYERS, LEVELS, SPECIAL_ACCOUNTS } from "./vocabulary.ts";
import type { Run } from "../run/run.ts";
import type { Capability, Complaint, Layer, Level, RuleId, SpecialAccount } from "./vocabulary.ts";
import type { Exchange } from "../target/exchange.ts";

export type { Capability, Complaint, Layer, Level, RuleId, SpecialAccount };

/** What all rules have, whatever tries them. */
type Common = {
  /** `RBS-AREA-NN`; it also stands in the contract, beside what it belongs to. */
  readonly id: RuleId;
  readonly level: Level;
  readonly capability: Capability;
  /** JSON Pointer into the contract to where the sentence stands. */
  readonly at: string;
  /** The contract's own words, line breaks aside. */
  readonly sentence: string;
  /**
   * What of the contract is tried: `openBrowser 400` for a declared answer, `OpenOptions.KeepOpen` for a constrained member.
   * Answers count only where the rule brings them about.
   */
  readonly covers?: readonly string[];
};

/** Looks at every exchange of the whole run, whoever caused it. */
export type ExchangeRule = Common & {
  readonly kind: "exchange";
  /** @returns What is wrong with it; undefined when nothing is, or when the rule does not speak of such an exchange. */
  readonly judge: (exchange: Exchange) => Complaint | undefined;
};

/** Plays a scenario of its own. */
export type ScenarioRule = Common & {
  readonly kind: "scenario";
  /** `model` for random sequences; a scenario is `lifecycle` unless it says otherwise. */
  readonly layer?: "lifecycle" | "model";
  /** The most browsers that it opens on an account that may; 0 for none. */
  readonly opens: number;
  /** The same for the profile `deploy`, where it is fewer. */
  readonly opensInDeploy?: number;
  /** The most of them that are open at once; `opens` unless it says otherwise. */
  readonly atOnce?: number;
  /** How many seconds it mostly waits; 0 for none. What waits is no part of the profile `smoke`. */
  readonly waitsS?: number;
  /** Only in the profile `full`, because it takes long or opens much. */
  readonly isLong?: boolean;
  readonly needs?: readonly SpecialAccount[];
  /** @throws {Violation} When the implementation breaks the rule. @throws {Undecidable} When it can't be told here. */
  readonly check: (run: Run) => Promise<void>;
};

/** One of Schemathesis's checks, or of the suite's own among them. */
export type FuzzRule = Common & {
  readonly kind: "fuzz";
  /** The name of the check. */
  readonly fuzzCheck: string;
};

export type Rule = ExchangeRule | ScenarioRule | FuzzRule;

export function layerOf(rule: Rule): Layer {
  if (rule.kind === "fuzz") return "schemathesis";
  return rule.kind === "scenario" && rule.layer === "model" ? "model" : "lifecycle";
}

/** Whether somebody who writes `wanted` means this rule: `RBS-OPEN-03` is one, `RBS-OPEN` all that begin so. */
export function matchesId(id: RuleId, wanted: string): boolean {
  return id === wanted || id.startsWith(wanted.endsWith("-") ? wanted : `${wanted}-`);
}
