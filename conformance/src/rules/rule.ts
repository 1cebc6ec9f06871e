import type { Run } from "../session/run.ts";
import type { Capability, Complaint, Layer, Level, RuleId, SpecialAccount } from "../contract/vocabulary.ts";
import type { ContractVersion } from "../contract/versions.ts";
import type { Exchange } from "../target/exchange.ts";

export type { RuleId };

/** Members that all rules share. */
type Common = {
  /** `RBS-AREA-NN` */
  readonly id: RuleId;
  readonly level: Level;
  readonly capability: Capability;
  /** JSON Pointer to the sentence in the contract. */
  readonly at: string;
  /** The sentence, quoted from the contract. Line breaks may be different. */
  readonly sentence: string;
  /**
   * The declared responses (`openBrowser 400`) and constrained members (`OpenOptions.KeepOpen`) that the rule covers. A
   * response is covered only if the rule provokes it.
   */
  readonly covers?: readonly string[];
  /** The contract version that added the sentence. Runs against older versions skip the rule. Default: 1.0. */
  readonly since?: ContractVersion;
};

/** A rule that checks every exchange of the run, including other rules' exchanges. */
export type ExchangeRule = Common & {
  readonly kind: "exchange";
  /**
   * @param version The contract version that the deployment implements.
   * @returns The complaint, or undefined if the exchange complies with the rule or the rule doesn't apply.
   */
  readonly judge: (exchange: Exchange, version: ContractVersion) => Complaint | undefined;
};

/** A rule that runs its own scenario. */
export type ScenarioRule = Common & {
  readonly kind: "scenario";
  /** `model` for random sequences. Default: `lifecycle`. */
  readonly layer?: "lifecycle" | "model";
  /** Maximum number of browsers that the rule opens on the main account. */
  readonly opens: number;
  /** Maximum number of browsers that the rule opens in the profile `deploy`. Default: `opens`. */
  readonly opensInDeploy?: number;
  /** Maximum number of the rule's browsers open at the same time. Default: `opens`. */
  readonly atOnce?: number;
  /** Time that the rule waits, in seconds. The profile `smoke` skips rules that wait. */
  readonly waitsS?: number;
  /** Whether only the profile `full` includes the rule, because the rule is slow or opens many browsers. */
  readonly isLong?: boolean;
  /** Whether the profile `smoke` skips the rule, because it opens browsers only to check a detail. */
  readonly isDetail?: boolean;
  readonly needs?: readonly SpecialAccount[];
  /** Whether the rule needs a site of the suite that browsers can reach. */
  readonly needsSite?: boolean;
  /**
   * @throws {Violation} If the implementation breaks the rule.
   * @throws {Undecidable} If the rule can't be tested on this deployment.
   */
  readonly check: (run: Run) => Promise<unknown>;
};

/** Defaults for a list of rules. */
type Shared = Pick<ScenarioRule, "capability"> & Partial<Omit<ScenarioRule, "kind">>;

/** A rule as written in a list. Members that have defaults are optional. */
type Listed<Known extends keyof ScenarioRule> = Omit<ScenarioRule, "kind" | Known> & Partial<Pick<ScenarioRule, Known>>;

/** Creates scenario rules. By default, a rule is a `decision` and opens no browsers. */
export function scenarios<Given extends Shared>(
  shared: Given,
  rules: readonly Listed<"level" | "opens" | Extract<keyof Given, keyof ScenarioRule>>[],
): readonly ScenarioRule[] {
  const usual = { kind: "scenario", level: "decision", opens: 0 };
  return rules.map((rule) => ({ ...usual, ...shared, ...rule }) as ScenarioRule);
}

/** A rule tested by a Schemathesis check, either built-in or provided by this suite. */
export type FuzzRule = Common & {
  readonly kind: "fuzz";
  /** The check's name. */
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

/** Whether `wanted` selects this rule. `RBS-OPEN-03` selects one rule; `RBS-OPEN`, all rules with that prefix. */
export function matchesId(id: RuleId, wanted: string): boolean {
  return id === wanted || id.startsWith(wanted.endsWith("-") ? wanted : `${wanted}-`);
}
