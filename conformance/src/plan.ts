import { CONTRACT_VERSIONS, type ContractVersion, includes } from "./contract/versions.ts";
import { layerOf, matchesId, type Rule, type RuleId, type ScenarioRule } from "./rules/rule.ts";
import type { Options } from "./options.ts";
import type { Profile } from "./session/run-options.ts";

/** Number of browsers that all scenarios share, plus the ones that the preflight opens. */
const COMMON_OPENS = 5;

const OTHER_RULES = "Not selected by --rule.";
const OTHER_CAPABILITIES = "Not selected by --capability.";
/** Reasons for skipping rules that the user did not select. */
export const UNASKED: ReadonlySet<string> = new Set([OTHER_RULES, OTHER_CAPABILITIES]);

/** Returns the reason for skipping rules that the deployment's contract version doesn't include yet. */
export function newerThan(contract: ContractVersion): string {
  return `The deployment implements contract version ${contract}, which doesn't include this rule.`;
}

const LATER: ReadonlySet<string | null> = new Set(CONTRACT_VERSIONS.map(newerThan));

/** Whether a rule was skipped because it belongs to a later contract version. */
export function isOfLaterVersion(reason: string | null): boolean {
  return LATER.has(reason);
}

type Skipped = { readonly rule: Rule; readonly reason: string };

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
 * @param fuzzOpens Maximum number of browsers that Schemathesis opens.
 */
export function planRun(
  all: readonly Rule[],
  options: Options,
  { contract, fuzzOpens }: { readonly contract: ContractVersion; readonly fuzzOpens: number },
): Plan {
  const rules: Rule[] = [];
  const skipped: Skipped[] = [];
  const { maxOpens = Infinity } = options;
  let opens = 0;
  let isFuzzing = false;
  for (const rule of all) {
    const cost = costOf(rule, options.run.profile, isFuzzing ? 0 : fuzzOpens);
    const common = opens === 0 && cost > 0 ? COMMON_OPENS : 0;
    const reason =
      whyNot(rule, options, contract) ??
      (cost > 0 && opens + common + cost > maxOpens
        ? `It would exceed the limit of --max-opens ${maxOpens}.`
        : undefined);
    if (reason === undefined) {
      rules.push(rule);
      opens += common + cost;
      isFuzzing ||= rule.kind === "fuzz";
    } else skipped.push({ rule, reason });
  }
  return { rules, skipped, order: all.map(({ id }) => id), opens };
}

/** Returns why the run skips a rule, or undefined if the run includes the rule. */
function whyNot(
  rule: Rule,
  { rules, capabilities, run, fuzzer }: Options,
  contract: ContractVersion,
): string | undefined {
  if (rules.length > 0 && !rules.some((wanted) => matchesId(rule.id, wanted))) return OTHER_RULES;
  if (capabilities.length > 0 && !capabilities.includes(rule.capability)) {
    return OTHER_CAPABILITIES;
  }
  if (!includes(contract, rule.since ?? "1.0")) return newerThan(contract);
  if (rule.kind === "fuzz" && fuzzer.how === "off") return "Schemathesis is turned off.";
  if (rule.kind === "fuzz" && run.profile === "smoke") return outsideOf("smoke", "it needs Schemathesis");
  if (rule.kind !== "scenario") return undefined;
  return whyNotScenario(rule, run);
}

function whyNotScenario(
  { needs = [], layer, waitsS = 0, isLong = false, isDetail = false }: ScenarioRule,
  run: Options["run"],
): string | undefined {
  if (run.profile === "smoke" && layer === "model") return outsideOf("smoke", "it runs random sequences");
  if (run.profile === "smoke" && waitsS > 0) return outsideOf("smoke", "it waits");
  if (run.profile === "smoke" && isDetail) return outsideOf("smoke", "it opens browsers only to check a detail");
  if (run.profile !== "full" && isLong) return outsideOf(run.profile, "it takes long");
  const missing = needs.filter((account) => run.tokens[account] === undefined);
  if (missing.length > 0) return `It needs ${missing.map((account) => `--token-${account}`).join(" and ")}.`;
  return undefined;
}

function outsideOf(profile: Profile, why: string): string {
  return `The ${profile} profile excludes this rule: ${why}.`;
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
