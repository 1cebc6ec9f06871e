import { randomBytes } from "node:crypto";
import { env } from "node:process";
import { NEWEST_VERSION } from "../src/contract/versions.ts";
import { RULES } from "../src/registry/registry.ts";
import { type FuzzRule, type Rule, layerOf } from "../src/rules/rule.ts";
import type { RuleResult } from "../src/run/verdict.ts";
import type { Layer, RuleId } from "../src/contract/vocabulary.ts";
import { checkScenario, judgeExchanges } from "../src/run/check-rule.ts";
import type { RunOptions } from "../src/session/run-options.ts";
import { scheduleOf } from "../src/run/schedule.ts";
import { Semaphore } from "../src/session/semaphore.ts";
import { Session } from "../src/session/session.ts";
import { runSchemathesis } from "../src/schemathesis/run-schemathesis.ts";
import type { Tokens } from "./accounts.ts";
import { startFaultyServer } from "./faulty-server.ts";
import type { Browsers, Mutant } from "./mutant.ts";
import { FEW_UNITS } from "./plans.ts";

/** The result of testing one faulty server. */
export type Trial = {
  readonly mutant: string;
  /** Rules that failed. */
  readonly detectedBy: readonly RuleId[];
  /** Rules that ran. */
  readonly tried: readonly RuleId[];
  readonly durationMs: number;
};

/** `named` runs only the rules that must detect the fault. `all` also runs all other rules with short waits. */
export type Thoroughness = "all" | "named";

/** How long a rule may wait, in seconds. Rules with longer waits run only on mutants that they must detect. */
const LONG_S = 12;
/** Fake browsers are cheap, so many rules can run at the same time. */
const PARALLEL = 16;
/** A server with real browsers keeps a processor busy, so each thread runs one such server at a time. */
const realBrowsers = new Semaphore(1);
const FUZZER = { how: "auto", image: undefined, python: undefined, env } as const;

/** Rules that send requests, so that rules about all responses have exchanges to check. */
const TALK: ReadonlySet<RuleId> = new Set<RuleId>([
  "RBS-AUTH-01",
  "RBS-BODY-06",
  "RBS-CLOSE-02",
  "RBS-DESKTOP-01",
  "RBS-LIST-03",
  "RBS-PATH-02",
  "RBS-PATH-03",
]);

/** The rules to run on a mutant. The two groups run on separate servers. */
export type Plan = {
  /** The rules that must detect the fault. They run first, on a fresh server, because some faults are stateful. */
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
  // Start Schemathesis only once for all of its rules.
  const isFuzzed = others.some(({ kind }) => kind === "fuzz");
  const first = isFuzzed ? named.filter(({ kind }) => kind !== "fuzz") : named;
  const results = [...(await tryNamed(mutant, first, seed)), ...(await tryRules(mutant, others, seed))];
  const noticed = results.filter(({ verdict }) => verdict === "fail" || verdict === "warn");
  return {
    mutant: mutant.id,
    detectedBy: [...new Set(noticed.map(({ rule }) => rule))],
    tried: [...new Set(results.map(({ rule }) => rule))],
    durationMs: Date.now() - startedAt,
  };
}

async function tryNamed(mutant: Mutant, rules: readonly Rule[], seed: number): Promise<readonly RuleResult[]> {
  const { browsers = "fake" } = mutant;
  if (browsers === "fake") return tryRules(mutant, rules, seed);
  using _ = await realBrowsers.acquire(1);
  return await tryRules(mutant, rules, seed, browsers);
}

/** Runs rules on a new server that has the fault. */
export async function tryRules(
  { fault }: Mutant,
  rules: readonly Rule[],
  seed: number,
  browsers?: Browsers,
): Promise<readonly RuleResult[]> {
  if (rules.length === 0) return [];
  await using server = await startFaultyServer(fault(), browsers);
  const played = rules.filter(({ kind }) => kind !== "fuzz").map(({ id }) => id);
  const options = toOptions(server, played, seed);
  const results = await runRules(options);
  if (played.length === rules.length) return results;
  // If Schemathesis isn't installed, its rules are skipped. Skipped rules don't count as results.
  const fuzzed = await runFuzzRules(options);
  return [...results, ...fuzzed.filter(({ verdict }) => verdict !== "skip")];
}

export function toOptions(
  { url, token, tokens }: Tokens & { readonly url: URL },
  rules: readonly RuleId[],
  seed: number,
) {
  return {
    baseUrl: url.href,
    token,
    tokens,
    unitsLeft: FEW_UNITS,
    site: "http://127.0.0.1:0",
    profile: "full",
    contract: NEWEST_VERSION,
    labelPrefix: `conformance-${randomBytes(4).toString("hex")}`,
    rules,
    seed,
    rate: undefined,
    parallel: PARALLEL,
  } as const;
}

/** Runs rules like `suite.ts`, but without Vitest, which is slow to start. */
export async function runRules(options: RunOptions): Promise<RuleResult[]> {
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

/** Runs the Schemathesis rules on a server. */
export async function runFuzzRules(options: RunOptions): Promise<readonly RuleResult[]> {
  const rules = RULES.filter((rule): rule is FuzzRule => rule.kind === "fuzz");
  return runSchemathesis({ ...options, fuzzer: FUZZER }, rules, () => {});
}
