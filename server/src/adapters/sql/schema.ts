import type { BrowserKind } from "../../domain/browser/browser-kind.ts";
import type { EndReason } from "../../domain/browser/end.ts";
import type { Act } from "../../ports/store/audit-store.ts";

// Times are RFC 3339 text in UTC, which sorts chronologically in every engine. PostgreSQL stores ended browsers' times
// as timestamps, but queries read and write the same text. Flags are 0 or 1.

export type AccountRow = {
  id: string;
  email: string;
  /** The key of the email address, from `toEmailKey`. Unique. */
  email_key: string;
  plan: string | null;
  parallel: number | null;
  units: number | null;
  additional_units: number;
  disabled: number;
  operator: number;
  created_at: string;
  /** Counts changes to the plan, limits and rights. Always equals the `version` in `account_load`. */
  version: number;
  /** The password hasher's output; null if the account can't sign in with a password. */
  password: string | null;
  /** The sealed key for the account's own provider. */
  provider_key: string | null;
  /** When the personal data was erased, or null. The row isn't deleted because the ledger refers to it. */
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

/** A user's session, with a hash of the secret in the cookie. */
type SessionRow = { hash: string; account_id: string; created_at: string; expires_at: string };

/** A browser that is being opened or is open. When it ends, its row moves to `ended_browsers`. */
type BrowserRow = {
  id: string;
  account_id: string;
  kind: BrowserKind;
  headless: number;
  label: string | null;
  /** A JSON array; null without tags. */
  tags: string | null;
  state: "opening" | "open";
  /** The id of the server that opens the browser, and the id of that server's run. */
  worker: string;
  instance: string;
  /** A keyed hash of the secret in the address. Null until the browser is open, like the next two columns. */
  key_hash: string | null;
  /** The sealed address. */
  address: string | null;
  opened_at: string | null;
  requested_at: string;
  /** The number of minutes charged, which never decreases. */
  charged: number;
};

/** Rows are written once, so the table stays dense. Only erasing the account changes a row's label and tags. */
export type EndedBrowserRow = {
  id: string;
  account_id: string;
  kind: BrowserKind;
  headless: number;
  label: string | null;
  tags: string | null;
  /** The same hash as while the browser was open. Null for browsers that ended before hashes existed. */
  key_hash: string | null;
  opened_at: string;
  closed_at: string;
  reason: EndReason;
  units: number;
  /** The inactivity period in ms; null if the browser had none or if the period is unknown. */
  keep_open: number | null;
  /** Null if unknown: the server was killed, or the row is older than these columns. */
  bytes_sent: number | null;
  bytes_received: number | null;
};

/** A browser opened with an Idempotency-Key. The row is kept for some time after the browser ends. */
type KeyedBrowserRow = {
  account_id: string;
  /** Keyed hashes of the Idempotency-Key and of the options. */
  key: string;
  options: string;
  browser_id: string;
  /** When the browser ended, and its sealed address; null until then. */
  ended_at: string | null;
  address: string | null;
};

/** The account data that admission reads. */
type AccountLoadRow = {
  account_id: string;
  version: number;
  /** Whether the account is disabled or erased. */
  barred: number;
  /** The number of browsers in each state. */
  opening: number;
  open: number;
  /** The latest month (UTC) in which a minute was charged, and that month's units. Empty before the first charge. */
  period: string;
  units: number;
};

/** An ended browser's units for minutes that started on one day (UTC). Rows are never changed or removed. */
type LedgerRow = { browser_id: string; day: string; account_id: string; units: number };

/** An account's units for minutes that started on a given UTC day, written when they are charged. */
type DailyUsageRow = { account_id: string; day: string; units: number };

/** The language model tokens that an account used on a day (UTC) with the deployment's key. */
type QueryTokensRow = { day: string; account_id: string; tokens: number };

/** An operator's action. The details are a JSON object. */
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
