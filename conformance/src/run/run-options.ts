import type { RuleId, SpecialAccount } from "../registry/vocabulary.ts";

export const PROFILES = ["smoke", "deploy", "full"] as const;
export type Profile = (typeof PROFILES)[number];

/** What a run is told; plain data, since it crosses over into the thread that the rules run in. */
export type RunOptions = {
  readonly baseUrl: string;
  readonly token: string;
  readonly tokens: Readonly<Partial<Record<SpecialAccount, string>>>;
  /** Units that the account `few-units` has left, as its operator says. */
  readonly unitsLeft: number | undefined;
  readonly profile: Profile;
  /** Addresses of browsers that were open before the run: they are never touched, even if Open gives one. */
  readonly foreign?: readonly string[];
  /** Begins the label of every browser that the run opens. */
  readonly labelPrefix: string;
  /** Rules to run, by their ids. */
  readonly rules: readonly RuleId[];
  /** Where random sequences begin. */
  readonly seed: number;
  /** Requests a second at most. */
  readonly rate: number | undefined;
  /** The kind of browser (`Browser` of Open) that costs least here; undefined for the default one. */
  readonly lightKind?: number | undefined;
  /** Browsers of the main account that rules may have open at once, beside those that they share. */
  readonly parallel: number;
  /** Browsers that may be opened in all, and how many of them are left; undefined for any number. */
  readonly budget?: { readonly max: number; readonly left: number } | undefined;
};

const MAX_SCENARIOS = 24;

/**
 * Scenarios that are under way at once; how many browsers they have open is another matter. At a limited rate more of them
 * would only wait for each other, and their browsers would close meanwhile.
 */
export function maxConcurrentScenarios({ rate, parallel }: Pick<RunOptions, "rate" | "parallel">): number {
  return rate === undefined ? MAX_SCENARIOS : Math.min(MAX_SCENARIOS, 3 * parallel);
}
