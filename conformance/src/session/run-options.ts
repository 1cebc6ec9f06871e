import type { ContractVersion } from "../contract/versions.ts";
import type { Declared, RuleId, SpecialAccount } from "../contract/vocabulary.ts";

export const PROFILES = ["smoke", "deploy", "full"] as const;
export type Profile = (typeof PROFILES)[number];

/** Options for a run. Must be plain data, because another thread runs the rules. */
export type RunOptions = {
  readonly baseUrl: string;
  readonly token: string;
  readonly tokens: Readonly<Partial<Record<SpecialAccount, string>>>;
  /** URL under which browsers reach the suite's own site. Undefined means that the suite has no site. */
  readonly site?: string | undefined;
  /** Units left on the account `few-units`, as specified by the operator. */
  readonly unitsLeft: number | undefined;
  readonly profile: Profile;
  /** The contract version that the deployment implements. */
  readonly contract: ContractVersion;
  /** What the deployment declares as missing. Default: nothing. */
  readonly lacks?: readonly Declared[];
  /** Addresses of browsers opened before the run. The run never uses these browsers, even if Open returns one. */
  readonly foreign?: readonly string[];
  /** Prefix of the labels of all browsers that the run opens. */
  readonly labelPrefix: string;
  /** Ids of the rules to run. */
  readonly rules: readonly RuleId[];
  /** Seed of the random sequences. */
  readonly seed: number;
  /** Maximum number of requests per second. */
  readonly rate: number | undefined;
  /** The deployment's cheapest kind of browser, as a value of Open's `Browser`. Undefined means the default kind. */
  readonly lightKind?: number | undefined;
  /** Maximum number of browsers that rules may open concurrently on the main account, excluding shared browsers. */
  readonly parallel: number;
  /**
   * How many browsers of rules that mostly wait may be open in addition to `parallel`. With 0, the default, they count
   * towards `parallel`.
   */
  readonly waiting?: number;
  /** Maximum total number of browsers, and the number left. Undefined means no limit. */
  readonly budget?: { readonly max: number; readonly left: number } | undefined;
};

const MAX_SCENARIOS = 24;

/**
 * Returns how many scenarios run concurrently. With a rate limit, additional scenarios would wait for each other until
 * their browsers time out. The number of browsers is limited separately.
 */
export function maxConcurrentScenarios({ rate, parallel }: Pick<RunOptions, "rate" | "parallel">): number {
  return rate === undefined ? MAX_SCENARIOS : Math.min(MAX_SCENARIOS, 3 * parallel);
}
