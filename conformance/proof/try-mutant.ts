import { randomBytes } from "node:crypto";
import { RULES } from "../src/registry/registry.ts";
import { type Rule, layerOf } from "../src/registry/rule.ts";
import type { RuleResult } from "../src/registry/verdict.ts";
import type { Layer, RuleId } from "../src/registry/vocabulary.ts";
import { type FaultyServer, startFaultyServer } from "./faulty-server.ts";
import { fuzz } from "./fuzz.ts";
import type { Mutant } from "./mutant.ts";
import { FEW_UNITS } from "./plans.ts";
import { play } from "./play.ts";

/** The result of one faulty server. */
export type Trial = {
  readonly mutant: string;
  /** Rules that failed. */
  readonly noticedBy: readonly RuleId[];
  /** Rules that ran. */
  readonly tried: readonly RuleId[];
  readonly durationMs: number;
};

/** `all` runs every rule that doesn't wait long, `named` only those that have to detect the fault. */
export type Thoroughness = "all" | "named";

/** Slower rules run only if they have to detect the fault. */
const LONG_S = 12;
/** Fake browsers cost next to nothing, so that no rule has to wait for one. */
const PARALLEL = 16;

/** The rules whose requests the rules about all answers need. */
const TALK: ReadonlySet<RuleId> = new Set<RuleId>([
  "RBS-AUTH-01",
  "RBS-BODY-06",
  "RBS-CLOSE-02",
  "RBS-DESKTOP-01",
  "RBS-LIST-03",
  "RBS-PATH-02",
  "RBS-PATH-03",
]);

/** The rules for a mutant, in two groups; each group runs against a new server. */
export type Plan = {
  /** Rules that have to detect the fault. They run first, because some faults have state. */
  readonly named: readonly Rule[];
  readonly others: readonly Rule[];
};

export function planFor({ killedBy }: Mutant, how: Thoroughness, layers: readonly Layer[]): Plan {
  const has = new Set<RuleId>(killedBy);
  const isTalk = RULES.some(({ id, kind }) => kind === "exchange" && has.has(id));
  const rules = RULES.filter((rule) => layers.includes(layerOf(rule)));
  const isLong = (rule: Rule): boolean => rule.kind === "story" && (rule.waitsS ?? 0) > LONG_S;
  return {
    named: rules.filter(({ id }) => has.has(id) || (isTalk && TALK.has(id))),
    others: how === "named" ? [] : rules.filter((rule) => !has.has(rule.id) && !isLong(rule)),
  };
}

export async function tryMutant(mutant: Mutant, { named, others }: Plan, seed: number): Promise<Trial> {
  const startedAt = Date.now();
  // One run of Schemathesis covers all of its rules.
  const isFuzzed = others.some(({ kind }) => kind === "fuzz");
  const first = isFuzzed ? named.filter(({ kind }) => kind !== "fuzz") : named;
  const results = [...(await tryRules(mutant, first, seed)), ...(await tryRules(mutant, others, seed))];
  const noticed = results.filter(({ verdict }) => verdict === "fail" || verdict === "warn");
  return {
    mutant: mutant.id,
    noticedBy: [...new Set(noticed.map(({ rule }) => rule))],
    tried: [...new Set(results.map(({ rule }) => rule))],
    durationMs: Date.now() - startedAt,
  };
}

async function tryRules({ fault }: Mutant, rules: readonly Rule[], seed: number): Promise<readonly RuleResult[]> {
  if (rules.length === 0) return [];
  await using server = await startFaultyServer(fault());
  const played = rules.filter(({ kind }) => kind !== "fuzz").map(({ id }) => id);
  const options = toOptions(server, played, seed);
  const results = await play(options);
  if (played.length === rules.length) return results;
  // Without Schemathesis, its rules are skipped and don't count as missed.
  const fuzzed = await fuzz(options);
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
