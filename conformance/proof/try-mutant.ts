import { randomBytes } from "node:crypto";
import { env } from "node:process";
import { RULES } from "../src/registry/registry.ts";
import { type FuzzRule, type Rule, layerOf } from "../src/registry/rule.ts";
import type { RuleResult } from "../src/registry/verdict.ts";
import type { Layer, RuleId } from "../src/registry/vocabulary.ts";
import { checkScenario, judgeExchanges } from "../src/run/check-rule.ts";
import type { RunOptions } from "../src/run/run-options.ts";
import { scheduleOf } from "../src/run/schedule.ts";
import { Session } from "../src/run/session.ts";
import { runSchemathesis } from "../src/schemathesis/run-schemathesis.ts";
import { type FaultyServer, startFaultyServer } from "./faulty-server.ts";
import type { Mutant } from "./mutant.ts";
import { FEW_UNITS } from "./plans.ts";

/** What one faulty server came to. */
export type Trial = {
  readonly mutant: string;
  /** Rules that complained. */
  readonly detectedBy: readonly RuleId[];
  /** Rules that were tried. */
  readonly tried: readonly RuleId[];
  readonly durationMs: number;
};

/** `all` tries every rule that does not wait long, `named` those alone that have to notice the fault. */
export type Thoroughness = "all" | "named";

/** Nobody waits so long for a fault that another rule has to notice. */
const LONG_S = 12;
/** Fake browsers cost nothing, and who waits for a place only takes longer. */
const PARALLEL = 16;
const FUZZER = { how: "auto", image: undefined, python: undefined, env } as const;

/** What has to be asked so that rules about all answers have something to look at. */
const TALK: ReadonlySet<RuleId> = new Set<RuleId>([
  "RBS-AUTH-01",
  "RBS-BODY-06",
  "RBS-CLOSE-02",
  "RBS-DESKTOP-01",
  "RBS-LIST-03",
  "RBS-PATH-02",
  "RBS-PATH-03",
]);

/** What a mutant is tried with: each of the two on a server of its own. */
export type Plan = {
  /** Those that have to notice it, before anybody else has touched the server: some faults remember. */
  readonly named: readonly Rule[];
  readonly others: readonly Rule[];
};

export function planFor({ killedBy }: Mutant, how: Thoroughness, layers: readonly Layer[]): Plan {
  const has = new Set<RuleId>(killedBy);
  const isTalk = RULES.some(({ id, kind }) => kind === "exchange" && has.has(id));
  const rules = RULES.filter((rule) => layers.includes(layerOf(rule)));
  const isLong = (rule: Rule): boolean => rule.kind === "scenario" && (rule.waitsS ?? 0) > LONG_S;
  return {
    named: rules.filter(({ id }) => has.has(id) || (isTalk && TALK.has(id))),
    others: how === "named" ? [] : rules.filter((rule) => !has.has(rule.id) && !isLong(rule)),
  };
}

export async function tryMutant(mutant: Mutant, { named, others }: Plan, seed: number): Promise<Trial> {
  const startedAt = Date.now();
  // Schemathesis is started once for all of its rules.
  const isFuzzed = others.some(({ kind }) => kind === "fuzz");
  const first = isFuzzed ? named.filter(({ kind }) => kind !== "fuzz") : named;
  const results = [...(await tryRules(mutant, first, seed)), ...(await tryRules(mutant, others, seed))];
  const noticed = results.filter(({ verdict }) => verdict === "fail" || verdict === "warn");
  return {
    mutant: mutant.id,
    detectedBy: [...new Set(noticed.map(({ rule }) => rule))],
    tried: [...new Set(results.map(({ rule }) => rule))],
    durationMs: Date.now() - startedAt,
  };
}

async function tryRules({ fault }: Mutant, rules: readonly Rule[], seed: number): Promise<readonly RuleResult[]> {
  if (rules.length === 0) return [];
  await using server = await startFaultyServer(fault());
  const played = rules.filter(({ kind }) => kind !== "fuzz").map(({ id }) => id);
  const options = toOptions(server, played, seed);
  const results = await runRules(options);
  if (played.length === rules.length) return results;
  // Without the tool its rules are skipped, and that is not their fault.
  const fuzzed = await runFuzzRules(options);
  return [...results, ...fuzzed.filter(({ verdict }) => verdict !== "skip")];
}

export function toOptions({ url, token, tokens }: FaultyServer, rules: readonly RuleId[], seed: number) {
  return {
    baseUrl: url.href,
    token,
    tokens,
    unitsLeft: FEW_UNITS,
    profile: "full",
    labelPrefix: `conformance-${randomBytes(4).toString("hex")}`,
    rules,
    seed,
    rate: undefined,
    parallel: PARALLEL,
  } as const;
}

/** Plays rules as `suite.ts` does, but without Vitest, which takes longer to start than most faults to be noticed. */
async function runRules(options: RunOptions): Promise<RuleResult[]> {
  await using session = new Session(options);
  const { scenarios, exchangeRules, acquire } = scheduleOf(options);
  const results = await Promise.all(
    scenarios.map(async (rule) => {
      await using _ = await acquire(rule);
      return await checkScenario(session, rule);
    }),
  );
  return [...results, ...exchangeRules.map((rule) => judgeExchanges(session, rule))];
}

/** Has Schemathesis look at a server. */
export async function runFuzzRules(options: RunOptions): Promise<readonly RuleResult[]> {
  const rules = RULES.filter((rule): rule is FuzzRule => rule.kind === "fuzz");
  return runSchemathesis({ ...options, fuzzer: FUZZER }, rules, () => {});
}
