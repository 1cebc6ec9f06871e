import type { ContractVersion } from "../contract/versions.ts";
import type { RuleId, SpecialAccount } from "../registry/vocabulary.ts";

export const PROFILES = ["smoke", "deploy", "full"] as const;
export type Profile = (typeof PROFILES)[number];

/** The options of a run. Plain data, because another thread runs the rules. */
export type RunOptions = {
  readonly baseUrl: string;
  readonly token: string;
  readonly tokens: Readonly<Partial<Record<SpecialAccount, string>>>;
  /** Units left on the account `few-units`, as given by the operator. */
  readonly unitsLeft: number | undefined;
  readonly profile: Profile;
  /** The version of the contract that the deployment implements. */
  readonly contract: ContractVersion;
  /** Addresses of browsers opened before the run. The run never uses them, even if Open returns one. */
  readonly foreign?: readonly string[];
  /** Prefix of the labels of all browsers that the run opens. */
  readonly labelPrefix: string;
  /** Rules to run, by their ids. */
  readonly rules: readonly RuleId[];
  /** Seed of the random sequences. */
  readonly seed: number;
  /** Maximum number of requests per second. */
  readonly rate: number | undefined;
  /** The cheapest kind of browser here (`Browser` of Open). Undefined means the default kind. */
  readonly lightKind?: number | undefined;
  /** How many browsers rules may open at the same time on the main account, in addition to shared browsers. */
  readonly parallel: number;
  /** How many browsers may be opened in total, and how many are left. Undefined means no limit. */
  readonly budget?: { readonly max: number; readonly left: number } | undefined;
};

const MAX_SCENARIOS = 24;

/**
 * Returns how many scenarios run concurrently. With a rate limit, more scenarios would wait for each other until their
 * browsers time out. The number of browsers has its own limit.
 */
export function maxConcurrentScenarios({ rate, parallel }: Pick<RunOptions, "rate" | "parallel">): number {
  return rate === undefined ? MAX_SCENARIOS : Math.min(MAX_SCENARIOS, 3 * parallel);
}
