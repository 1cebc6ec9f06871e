import type { BrowserKind } from "../../domain/browser/browser-kind.ts";
import type { EndReason } from "../../domain/browser/end.ts";

// Moments are RFC 3339 text in UTC: they sort as they read, in every engine. Flags are 0 or 1.

export type AccountRow = {
  id: string;
  email: string;
  /** The e-mail in lower case: what is unique. */
  email_key: string;
  plan: string | null;
  parallel: number | null;
  units: number | null;
  additional_units: number;
  disabled: number;
  operator: number;
  created_at: string;
  /** As the password hasher keeps it; null: nobody can sign in. */
  password: string | null;
  /** The key of the account's own provider, sealed. */
  provider_key: string | null;
  /** The row is kept for the ledger's sake; nothing in it tells of a person any more. */
  erased_at: string | null;
};

export type TokenRow = {
  hash: string;
  id: string;
  account_id: string;
  name: string;
  prefix: string;
  created_at: string;
  last_used_at: string | null;
};

/** Somebody who is signed in, by the hash of the secret in a cookie. */
export type SessionRow = { hash: string; account_id: string; created_at: string; expires_at: string };

export type BrowserRow = {
  id: string;
  account_id: string;
  kind: BrowserKind;
  label: string | null;
  state: "opening" | "open" | "closed";
  /** Secret; null before and after the browser is open. */
  address: string | null;
  /** Month that the first unit belongs to. */
  period: string;
  requested_at: string;
  opened_at: string | null;
  closed_at: string | null;
  reason: EndReason | null;
};

/** One started minute; rows are only ever added. */
export type LedgerRow = {
  browser_id: string;
  minute: number;
  account_id: string;
  period: string;
  started_at: string;
};

/** The ledger's sum by account and day (UTC), kept in the same transaction. */
export type DailyUsageRow = { account_id: string; day: string; units: number };

export type Tables = {
  accounts: AccountRow;
  tokens: TokenRow;
  sessions: SessionRow;
  browsers: BrowserRow;
  ledger: LedgerRow;
  daily_usage: DailyUsageRow;
};
