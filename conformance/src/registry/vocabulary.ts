/**
 * How much the contract insists: `required` stands in the description that the service was built from, `decision` where that
 * is silent and the contract decides, `recommended` is what users would expect. Only a recommendation that isn't followed is
 * a warning instead of a failure.
 */
export const LEVELS = ["required", "decision", "recommended"] as const;
export type Level = (typeof LEVELS)[number];

/** What a deployment has to be able to do for a rule to make sense. */
export const CAPABILITIES = ["core", "desktop", "idle", "quota", "proxy", "stealth", "ai", "isolation"] as const;
export type Capability = (typeof CAPABILITIES)[number];

/** What a rule is tried with. */
export const LAYERS = ["lifecycle", "model", "schemathesis"] as const;
export type Layer = (typeof LAYERS)[number];

/** Accounts in a certain state, each by a token of its own that the operator gives. */
export const SPECIAL_ACCOUNTS = [
  "no-subscription",
  "no-units",
  "few-units",
  "limited",
  "other-account",
  "rate-limited",
] as const;
export type SpecialAccount = (typeof SPECIAL_ACCOUNTS)[number];

export type RuleId = `RBS-${string}-${number}`;

/** What was expected, and what was seen instead. */
export type Complaint = { readonly expected: string; readonly seen: string };
