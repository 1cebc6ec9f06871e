import { includes } from "./contract/versions.ts";
import type { Deployment } from "./preflight/examine.ts";
import { layerOf, matchesId, type Rule, type RuleId, type ScenarioRule } from "./rules/rule.ts";
import type { Options } from "./options.ts";
import type { SkipCause } from "./run/verdict.ts";
import type { Profile } from "./session/run-options.ts";

/** Number of browsers that all scenarios share, plus the ones that the preflight opens. */
const COMMON_OPENS = 5;

type Skipped = { readonly rule: Rule; readonly reason: string; readonly skippedBy: SkipCause };

/** The rules to run and to skip. */
export type Plan = {
  readonly rules: readonly Rule[];
  readonly skipped: readonly Skipped[];
  /** The ids of all rules, in report order. */
  readonly order: readonly RuleId[];
  /** Number of browsers that the run opens on a conforming deployment. */
  readonly opens: number;
};

/**
 * @param contract The contract version that the deployment implements.
 * @param lacks What the deployment declares as missing.
 * @param fuzzOpens Maximum number of browsers that Schemathesis opens.
 */
export function planRun(
  all: readonly Rule[],
  options: Options,
  { contract, lacks, fuzzOpens }: Pick<Deployment, "contract" | "lacks"> & { readonly fuzzOpens: number },
): Plan {
  const rules: Rule[] = [];
  const skippedRules: Skipped[] = [];
  const { maxOpens = Infinity } = options;
  let opens = 0;
  let isFuzzing = false;
  for (const rule of all) {
    const cost = costOf(rule, options.run.profile, isFuzzing ? 0 : fuzzOpens);
    const common = opens === 0 && cost > 0 ? COMMON_OPENS : 0;
    const isTooMuch = cost > 0 && opens + common + cost > maxOpens;
    const skipped =
      whyNot(rule, options, { contract, lacks }) ??
      (isTooMuch ? missing(`It would exceed the limit of --max-opens ${maxOpens}.`) : undefined);
    if (skipped === undefined) {
      rules.push(rule);
      opens += common + cost;
      isFuzzing ||= rule.kind === "fuzz";
    } else skippedRules.push({ rule, ...skipped });
  }
  return { rules, skipped: skippedRules, order: all.map(({ id }) => id), opens };
}

type Reason = Omit<Skipped, "rule">;

/** Returns why the run skips a rule, or undefined if the run includes the rule. */
function whyNot(
  rule: Rule,
  { rules, capabilities, run, fuzzer }: Options,
  { contract, lacks }: Pick<Deployment, "contract" | "lacks">,
): Reason | undefined {
  if (rules.length > 0 && !rules.some((wanted) => matchesId(rule.id, wanted))) {
    return { reason: "Not selected by --rule.", skippedBy: "selection" };
  }
  if (capabilities.length > 0 && !capabilities.includes(rule.capability)) {
    return { reason: "Not selected by --capability.", skippedBy: "selection" };
  }
  if (!includes(contract, rule.since ?? "1.0")) {
    const reason = `The deployment implements contract version ${contract}, which doesn't include this rule.`;
    return { reason, skippedBy: "inapplicable" };
  }
  if (lacks.some((name) => name === rule.capability)) {
    return { reason: `The deployment declares that it lacks ${rule.capability}.`, skippedBy: "not offered" };
  }
  if (rule.kind === "fuzz" && run.profile === "smoke") return outsideOf("smoke", "it needs Schemathesis");
  if (rule.kind === "fuzz" && fuzzer.how === "off") return missing("Schemathesis is turned off.");
  if (rule.kind !== "scenario") return undefined;
  return whyNotScenario(rule, run);
}

function whyNotScenario(
  { needs = [], needsSite = false, layer, waitsS = 0, isLong = false, isDetail = false }: ScenarioRule,
  run: Options["run"],
): Reason | undefined {
  if (run.profile === "smoke" && layer === "model") return outsideOf("smoke", "it runs random sequences");
  if (run.profile === "smoke" && waitsS > 0) return outsideOf("smoke", "it waits");
  if (run.profile === "smoke" && isDetail) return outsideOf("smoke", "it opens browsers only to check a detail");
  if (run.profile !== "full" && isLong) return outsideOf(run.profile, "it takes long");
  const absent = needs.filter((account) => run.tokens[account] === undefined).map((account) => `--token-${account}`);
  if (needsSite && run.site === undefined) absent.push("--site");
  if (absent.length === 0) return undefined;
  const what = absent.join(" and ");
  return run.profile === "smoke" ? outsideOf("smoke", `it needs ${what}`) : missing(`It needs ${what}.`);
}

function outsideOf(profile: Profile, why: string): Reason {
  return { reason: `The ${profile} profile excludes this rule: ${why}.`, skippedBy: "profile" };
}

function missing(reason: string): Reason {
  return { reason, skippedBy: "missing" };
}

function costOf(rule: Rule, profile: Profile, fuzzOpens: number): number {
  if (rule.kind === "fuzz") return fuzzOpens;
  if (rule.kind === "exchange") return 0;
  return profile === "deploy" ? (rule.opensInDeploy ?? rule.opens) : rule.opens;
}

/** Returns the rules that run in Vitest. */
export function ofSuite({ rules }: Plan): readonly Rule[] {
  return rules.filter((rule) => layerOf(rule) !== "schemathesis");
}
