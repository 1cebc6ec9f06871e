import { layerOf, matchesId, type Rule, type RuleId, type ScenarioRule } from "./registry/rule.ts";
import type { Options } from "./options.ts";
import type { Profile } from "./run/run-options.ts";

/** Browsers that all scenarios share, and those that are opened to see whether, and which, can be. */
const COMMON_OPENS = 5;

const OTHER_RULES = "Other rules were asked for, by --rule.";
const OTHER_CAPABILITIES = "Other capabilities were asked for, by --capability.";
/** Reasons of what whoever started the run did not ask for. */
export const UNASKED: ReadonlySet<string> = new Set([OTHER_RULES, OTHER_CAPABILITIES]);

export type Skipped = { readonly rule: Rule; readonly reason: string };

/** What a run is going to do. */
export type Plan = {
  readonly rules: readonly Rule[];
  readonly skipped: readonly Skipped[];
  /** The ids of all rules, in the order in which reports list them. */
  readonly order: readonly RuleId[];
  /** Browsers that it opens at most, if the deployment keeps the contract. */
  readonly opens: number;
};

/** @param fuzzOpens How many browsers Schemathesis opens at most. */
export function planRun(all: readonly Rule[], options: Options, fuzzOpens: number): Plan {
  const rules: Rule[] = [];
  const skipped: Skipped[] = [];
  const { maxOpens = Infinity } = options;
  let opens = 0;
  let isFuzzing = false;
  for (const rule of all) {
    const cost = costOf(rule, options.run.profile, isFuzzing ? 0 : fuzzOpens);
    const common = opens === 0 && cost > 0 ? COMMON_OPENS : 0;
    const reason =
      whyNot(rule, options) ??
      (cost > 0 && opens + common + cost > maxOpens
        ? `It would open more browsers than --max-opens ${maxOpens} allows.`
        : undefined);
    if (reason === undefined) {
      rules.push(rule);
      opens += common + cost;
      isFuzzing ||= rule.kind === "fuzz";
    } else skipped.push({ rule, reason });
  }
  return { rules, skipped, order: all.map(({ id }) => id), opens };
}

/** Why a rule is no part of the run; undefined when it is. */
function whyNot(rule: Rule, { rules, capabilities, run, fuzzer }: Options): string | undefined {
  if (rules.length > 0 && !rules.some((wanted) => matchesId(rule.id, wanted))) return OTHER_RULES;
  if (capabilities.length > 0 && !capabilities.includes(rule.capability)) {
    return OTHER_CAPABILITIES;
  }
  if (rule.kind === "fuzz" && fuzzer.how === "off") return "Schemathesis is switched off.";
  if (rule.kind === "fuzz" && run.profile === "smoke") return outsideOf("smoke", "it takes Schemathesis");
  if (rule.kind !== "scenario") return undefined;
  return whyNotScenario(rule, run);
}

function whyNotScenario(
  { needs = [], layer, waitsS = 0, isLong = false }: ScenarioRule,
  run: Options["run"],
): string | undefined {
  if (run.profile === "smoke" && layer === "model") return outsideOf("smoke", "it plays random sequences");
  if (run.profile === "smoke" && waitsS > 0) return outsideOf("smoke", "it waits");
  if (run.profile !== "full" && isLong) return outsideOf(run.profile, "it takes long");
  const missing = needs.filter((account) => run.tokens[account] === undefined);
  if (missing.length > 0) return `It needs ${missing.map((account) => `--token-${account}`).join(" and ")}.`;
  return undefined;
}

function outsideOf(profile: Profile, why: string): string {
  return `It is no part of the profile ${profile}: ${why}.`;
}

function costOf(rule: Rule, profile: Profile, fuzzOpens: number): number {
  if (rule.kind === "fuzz") return fuzzOpens;
  if (rule.kind === "exchange") return 0;
  return profile === "deploy" ? (rule.opensInDeploy ?? rule.opens) : rule.opens;
}

/** Rules of the plan that Vitest runs. */
export function ofSuite({ rules }: Plan): readonly Rule[] {
  return rules.filter((rule) => layerOf(rule) !== "schemathesis");
}
