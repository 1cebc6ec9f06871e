/**
 * How binding a rule is. A `required` rule comes from the service description, a `decision` from the contract where the
 * description is silent. Breaking a `recommended` rule is a warning.
 */
export const LEVELS = ["required", "decision", "recommended"] as const;
export type Level = (typeof LEVELS)[number];

/** The feature that a deployment needs for a rule to apply. */
export const CAPABILITIES = [
  "core",
  "desktop",
  "idle",
  "quota",
  "proxy",
  "stealth",
  "ai",
  "isolation",
  "sites",
] as const;
export type Capability = (typeof CAPABILITIES)[number];

/** What a deployment may declare as missing, by the name in `x-capabilities`. */
export const DECLARED = ["graphical", "desktop", "ai"] as const;
export type Declared = (typeof DECLARED)[number];

/** The part of the suite that tests a rule. */
export const LAYERS = ["lifecycle", "model", "schemathesis"] as const;
export type Layer = (typeof LAYERS)[number];

/** Accounts in a special state. The operator provides a token for each account. */
export const SPECIAL_ACCOUNTS = [
  "no-subscription",
  "no-units",
  "few-units",
  "limited",
  "other-account",
  "rate-limited",
] as const;
export type SpecialAccount = (typeof SPECIAL_ACCOUNTS)[number];

/** Returns the variable name for an account's token: `no-units` → `TOKEN_NO_UNITS`. */
export function toVariable(account: string): string {
  return `TOKEN_${account.toUpperCase().replaceAll("-", "_")}`;
}

export type RuleId = `RBS-${string}-${number}`;

/** What was expected, and what was seen instead. The two members complete the sentence "expected …, but saw …". */
export type Complaint = { readonly expected: string; readonly seen: string };
