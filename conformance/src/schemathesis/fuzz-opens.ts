import type { Profile } from "../run/run-options.ts";

/** How many browsers Schemathesis opens at most, one after the other but for a few. */
const DEPLOY_OPENS = 20;
const FULL_OPENS = 48;

export function fuzzOpens(profile: Profile): number {
  return profile === "full" ? FULL_OPENS : DEPLOY_OPENS;
}
