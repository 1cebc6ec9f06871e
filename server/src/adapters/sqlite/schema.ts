import type { BrowserKind } from "../../domain/browser-kind.ts";
import type { EndReason } from "../../domain/end.ts";

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
  created_at: string;
};

export type TokenRow = {
  hash: string;
  account_id: string;
  prefix: string;
  created_at: string;
  revoked_at: string | null;
};

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

/** The ledger's sum by account and month, kept in the same transaction. */
export type UsageRow = { account_id: string; period: string; units: number };

export type Tables = {
  accounts: AccountRow;
  tokens: TokenRow;
  browsers: BrowserRow;
  ledger: LedgerRow;
  usage: UsageRow;
};
