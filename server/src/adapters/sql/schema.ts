import type { BrowserKind } from "../../domain/browser/browser-kind.ts";
import type { EndReason } from "../../domain/browser/end.ts";
import type { Act } from "../../ports/store/audit-store.ts";

// Times are RFC 3339 text in UTC, which sorts in order in every engine. Times of ended browsers are another type in
// PostgreSQL, which takes and returns the same text. Flags are 0 or 1.

export type AccountRow = {
  id: string;
  email: string;
  /** The email in lower case, which is unique. */
  email_key: string;
  plan: string | null;
  parallel: number | null;
  units: number | null;
  additional_units: number;
  disabled: number;
  operator: number;
  created_at: string;
  /** Counts the changes of its plan, limits and rights; the same as in `account_load`. */
  version: number;
  /** The password hasher's output; null: the account has no password to sign in with. */
  password: string | null;
  /** The key of the account's own provider, sealed. */
  provider_key: string | null;
  /** When the personal data was erased; null: not erased. The row stays because the ledger refers to it. */
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

/** A signed-in user. The hash is of the secret in the cookie. */
type SessionRow = { hash: string; account_id: string; created_at: string; expires_at: string };

/** A browser that is being opened, or is open. At its end, its row moves to the ended ones. */
type BrowserRow = {
  id: string;
  account_id: string;
  kind: BrowserKind;
  headless: number;
  label: string | null;
  /** A JSON array; null: none. */
  tags: string | null;
  state: "opening" | "open";
  /** The id of the server that opened it, and of that server's start. */
  worker: string;
  instance: string;
  /** A keyed hash of the secret in the address; null before the browser is open, like the next two. */
  key_hash: string | null;
  /** Sealed. */
  address: string | null;
  opened_at: string | null;
  requested_at: string;
  /** The minutes that have been charged, which only grow. */
  charged: number;
};

/**
 * Only the label and tags change, when the account is erased. A table of its own stays dense: its rows are written
 * once.
 */
export type EndedBrowserRow = {
  id: string;
  account_id: string;
  kind: BrowserKind;
  headless: number;
  label: string | null;
  tags: string | null;
  /** As in the row of the open browser; null for browsers that ended before addresses had a hash. */
  key_hash: string | null;
  opened_at: string;
  closed_at: string;
  reason: EndReason;
  units: number;
  /** The inactivity period in ms; null: none, or not known. */
  keep_open: number | null;
  /** Null: not known, because the server was killed, or the browser is older. */
  bytes_sent: number | null;
  bytes_received: number | null;
};

/** A browser that was opened with an Idempotency-Key, until some time after its end. */
type KeyedBrowserRow = {
  account_id: string;
  /** A keyed hash of the key; `options` is also a keyed hash. */
  key: string;
  options: string;
  browser_id: string;
  /** When the browser ended, and the address that it had, sealed; null before. */
  ended_at: string | null;
  address: string | null;
};

/** What admission needs to know about an account, in one row. */
export type AccountLoadRow = {
  account_id: string;
  version: number;
  /** Whether the account is disabled or erased. */
  barred: number;
  /** Browsers in these states. */
  opening: number;
  open: number;
  /** The latest month (UTC) in which a minute was charged, and its units; empty before the first one. */
  period: string;
  units: number;
};

/** The minutes of an ended browser that started on a day (UTC). Rows are never changed or removed. */
type LedgerRow = { browser_id: string; day: string; account_id: string; units: number };

/** The minutes of all browsers of an account that started on a day (UTC), written when they are charged. */
type DailyUsageRow = { account_id: string; day: string; units: number };

/** The provider's tokens that an account used on a day (UTC) with the deployment's key. */
type QueryTokensRow = { day: string; account_id: string; tokens: number };

/** What an operator has done. The details are a JSON object. */
type AuditRow = Omit<Act, "at" | "details"> & { at: string; details: string };

export type Tables = {
  accounts: AccountRow;
  tokens: TokenRow;
  sessions: SessionRow;
  browsers: BrowserRow;
  ended_browsers: EndedBrowserRow;
  keyed_browsers: KeyedBrowserRow;
  account_load: AccountLoadRow;
  ledger: LedgerRow;
  daily_usage: DailyUsageRow;
  query_tokens: QueryTokensRow;
  audit: AuditRow;
};
