import type { Run } from "../run/run.ts";
import type { Capability, Complaint, Layer, Level, RuleId, SpecialAccount } from "./vocabulary.ts";
import type { ContractVersion } from "../contract/versions.ts";
import type { Exchange } from "../target/exchange.ts";

export type { RuleId };

/** Members of all rules. */
type Common = {
  /** `RBS-AREA-NN` */
  readonly id: RuleId;
  readonly level: Level;
  readonly capability: Capability;
  /** JSON Pointer to the sentence in the contract. */
  readonly at: string;
  /** The sentence, quoted from the contract. Line breaks may differ. */
  readonly sentence: string;
  /**
   * The declared responses (`openBrowser 400`) and constrained members (`OpenOptions.KeepOpen`) that the rule covers. A
   * rule only covers a response if it provokes it.
   */
  readonly covers?: readonly string[];
  /** The contract version that added the sentence. Runs skip the rule for older versions. Default: 1.0. */
  readonly since?: ContractVersion;
};

/** Checks every exchange of the run, including the exchanges of other rules. */
export type ExchangeRule = Common & {
  readonly kind: "exchange";
  /**
   * @param version The version of the contract that the deployment implements.
   * @returns The complaint. Undefined if the exchange follows the rule, or the rule does not apply.
   */
  readonly judge: (exchange: Exchange, version: ContractVersion) => Complaint | undefined;
};

/** Runs its own scenario. */
export type ScenarioRule = Common & {
  readonly kind: "scenario";
  /** `model` for random sequences. Default: `lifecycle`. */
  readonly layer?: "lifecycle" | "model";
  /** How many browsers it may open on the main account. */
  readonly opens: number;
  /** The same for the profile `deploy`. Default: `opens`. */
  readonly opensInDeploy?: number;
  /** How many of them are open at the same time. Default: `opens`. */
  readonly atOnce?: number;
  /** How many seconds the rule waits. The profile `smoke` skips rules that wait. */
  readonly waitsS?: number;
  /** Whether only the profile `full` includes the rule, because it takes long or opens many browsers. */
  readonly isLong?: boolean;
  /** Whether the profile `smoke` skips the rule, because it opens browsers for a detail. */
  readonly isDetail?: boolean;
  readonly needs?: readonly SpecialAccount[];
  /**
   * @throws {Violation} If the implementation breaks the rule.
   * @throws {Undecidable} If the rule can't be tested here.
   */
  readonly check: (run: Run) => Promise<unknown>;
};

/** Defaults for the rules of a list. */
type Shared = Pick<ScenarioRule, "capability"> & Partial<Omit<ScenarioRule, "kind">>;

/** A rule of a list, without the members that have defaults. */
type Listed<Known extends keyof ScenarioRule> = Omit<ScenarioRule, "kind" | Known> & Partial<Pick<ScenarioRule, Known>>;

/** Makes scenario rules. By default, a rule is a `decision` and opens no browser. */
export function scenarios<Given extends Shared>(
  shared: Given,
  rules: readonly Listed<"level" | "opens" | Extract<keyof Given, keyof ScenarioRule>>[],
): readonly ScenarioRule[] {
  const usual = { kind: "scenario", level: "decision", opens: 0 };
  return rules.map((rule) => ({ ...usual, ...shared, ...rule }) as ScenarioRule);
}

/** Runs a check of Schemathesis, or the suite's own check in Schemathesis. */
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

/** `RBS-OPEN` of `RBS-OPEN-03`. */
export function areaOf({ id }: Rule): string {
  return id.replace(/-\d+$/, "");
}

/** Whether `wanted` selects this rule: `RBS-OPEN-03` selects one rule, `RBS-OPEN` all rules with that prefix. */
export function matchesId(id: RuleId, wanted: string): boolean {
  return id === wanted || id.startsWith(wanted.endsWith("-") ? wanted : `${wanted}-`);
}
