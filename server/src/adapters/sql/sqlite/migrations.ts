import { type Kysely, sql } from "kysely";
import type { Migration, MigrationProvider } from "kysely/migration";
import { executeAll } from "../migration-state.ts";

/** Migrations, in the order of their names. A released migration never changes. */
const MIGRATIONS: Record<string, Migration> = {
  "0001-accounts-browsers-ledger": { up: (db) => executeAll(db, FIRST_TABLES) },
  "0002-passwords-sessions-days": { up: (db) => executeAll(db, PAGES + REFUSE_CHANGES_OF_LEDGER) },
  "0003-query-tokens": { up: (db) => executeAll(db, QUERY_TOKENS) },
  "0004-charged-minutes": { up: (db) => executeAll(db, CHARGED_MINUTES + REFUSE_CHANGES_OF_LEDGER) },
  "0005-sealed-addresses": { up: (db) => executeAll(db, SEALED_ADDRESSES) },
  "0006-ended-browsers": { up: separateEnded },
  "0007-audit": { up: (db) => executeAll(db, AUDIT) },
};

export const migrations: MigrationProvider = { getMigrations: async () => MIGRATIONS };

const FIRST_TABLES = `
  create table accounts (
    id text primary key, email text not null, email_key text not null unique, plan text, parallel integer,
    units integer, additional_units integer not null, disabled integer not null, created_at text not null);
  create table tokens (
    hash text primary key, account_id text not null references accounts (id), prefix text not null,
    created_at text not null, revoked_at text);
  create table browsers (
    id text primary key, account_id text not null references accounts (id), kind text not null, label text,
    state text not null, address text unique, period text not null, requested_at text not null, opened_at text,
    closed_at text, reason text);
  create index browsers_by_state on browsers (state, account_id);
  create table ledger (
    browser_id text not null references browsers (id), minute integer not null,
    account_id text not null references accounts (id), period text not null, started_at text not null,
    constraint ledger_key primary key (browser_id, minute));
  create table usage (
    account_id text not null references accounts (id), period text not null, units integer not null,
    constraint usage_key primary key (account_id, period));`;

// For the dashboard: passwords, sessions, several tokens, and units per day instead of per month. The operator's
// account is the one created on each first start. The index `browsers_by_end` covers `opened_at`, so reading when
// browsers were open needs no table rows.
const PAGES = `
  alter table accounts add column password text;
  alter table accounts add column provider_key text;
  alter table accounts add column erased_at text;
  alter table accounts add column operator integer default 0 not null;
  update accounts set operator = 1 where email_key = 'operator@localhost';
  create index operators on accounts (id) where operator = 1;
  create index accounts_by_beginning on accounts (created_at, id) where erased_at is null;
  alter table tokens add column id text;
  alter table tokens add column name text default 'first' not null;
  alter table tokens add column last_used_at text;
  update tokens set id = lower(hex(randomblob(8)));
  create unique index tokens_by_account on tokens (account_id, id);
  delete from tokens where revoked_at is not null;
  alter table tokens drop column revoked_at;
  create table sessions (
    hash text primary key, account_id text not null references accounts (id), created_at text not null,
    expires_at text not null);
  create index sessions_by_account on sessions (account_id);
  create index sessions_by_end on sessions (expires_at);
  create table daily_usage (
    account_id text not null references accounts (id), day text not null, units integer not null,
    constraint daily_usage_key primary key (account_id, day));
  insert into daily_usage (account_id, day, units)
    select account_id, substr(started_at, 1, 10), count(*) from ledger group by 1, 2;
  drop table usage;
  create index browsers_by_end on browsers (account_id, closed_at, id, opened_at);`;

const REFUSE_CHANGES_OF_LEDGER = ["update", "delete"]
  .map(
    (change) => `
  create trigger ledger_takes_no_${change} before ${change} on ledger
    begin select raise(abort, 'The ledger is append-only.'); end;`,
  )
  .join("");

const QUERY_TOKENS = `
  create table query_tokens (
    day text not null, account_id text not null references accounts (id), tokens integer not null,
    constraint query_tokens_key primary key (day, account_id));`;

// The number of charged minutes moves to the browser's row, and the ledger has one row per ended browser and day. No
// server is running during the migration, so open browsers are closed as lost, each at its last charged minute. The
// triggers of `ledger_of_minutes` are dropped with that table.
const CHARGED_MINUTES = `
  delete from browsers where state = 'opening';
  update browsers set state = 'closed', address = null, reason = 'lost',
    closed_at = (select max(started_at) from ledger where browser_id = browsers.id) where state = 'open';
  alter table browsers add column charged integer not null default 0;
  update browsers set charged = (select count(*) from ledger where browser_id = browsers.id);
  alter table browsers drop column period;
  create table account_load (
    account_id text primary key, barred integer not null, opening integer not null check (opening >= 0),
    open integer not null check (open >= 0), period text not null, units integer not null);
  insert into account_load (account_id, barred, opening, open, period, units)
    select id, max(disabled, erased_at is not null), 0, 0, coalesce(latest, ''),
      coalesce((select sum(units) from daily_usage where account_id = id and substr(day, 1, 7) = latest), 0)
    from (select *, (select max(substr(day, 1, 7)) from daily_usage where account_id = id) as latest from accounts);
  alter table ledger rename to ledger_of_minutes;
  create table ledger (
    browser_id text not null, day text not null, account_id text not null, units integer not null,
    constraint ledger_key primary key (browser_id, day));
  insert into ledger (browser_id, day, account_id, units)
    select browser_id, substr(started_at, 1, 10), account_id, count(*) from ledger_of_minutes group by 1, 2;
  drop table ledger_of_minutes;`;

// Addresses are encrypted, and looked up by hash. Each account has a version number, which counts its changes.
// `browsers` is recreated, because SQLite can't drop an indexed column. No server is running, so the addresses of open
// browsers aren't copied. `browsers_by_age` is for deleting the oldest browsers across all accounts.
const SEALED_ADDRESSES = `
  alter table accounts add column version integer not null default 0;
  alter table account_load add column version integer not null default 0;
  create table new_browsers (
    id text primary key, account_id text not null, kind text not null, label text, state text not null,
    worker text not null, key_hash text, address text, requested_at text not null, opened_at text, closed_at text,
    reason text, charged integer not null);
  insert into new_browsers
    select id, account_id, kind, label, state, '', null, null, requested_at, opened_at, closed_at, reason, charged
    from browsers;
  drop table browsers;
  alter table new_browsers rename to browsers;
  create index browsers_by_state on browsers (state, account_id);
  create unique index browsers_by_key on browsers (key_hash) where key_hash is not null;
  create index browsers_by_end on browsers (account_id, closed_at, id, opened_at);
  create index browsers_by_age on browsers (closed_at) where closed_at is not null;`;

/** Moves ended browsers to their own table. Their new ids begin with their opening time, and are visible to users. */
async function separateEnded(db: Kysely<unknown>): Promise<void> {
  await executeAll(db, ENDED_BROWSERS);
  await sql`create temp table new_ids as select id, ${NEW_ID} as new_id from ended_browsers`.execute(db);
  await executeAll(db, NEW_IDS + REFUSE_CHANGES_OF_LEDGER + WITHOUT_ENDED);
}

// Earlier versions didn't record whether a browser was headless, but the headless shell always is.
const ENDED_BROWSERS = `
  create table ended_browsers (
    id text primary key, account_id text not null, kind text not null, headless integer not null, label text, tags text,
    key_hash text, opened_at text not null, closed_at text not null, reason text not null, units integer not null,
    keep_open real, bytes_sent integer, bytes_received integer);
  insert into ended_browsers
    select id, account_id, kind, kind = 'chrome-headless-shell', label, null, key_hash, opened_at, closed_at, reason,
      charged, null, null, null
    from browsers where state = 'closed';`;

const NEW_IDS = `
  create index temp.by_id on new_ids (id);
  drop trigger ledger_takes_no_update;
  drop trigger ledger_takes_no_delete;
  update ended_browsers set id = (select new_id from new_ids where id = ended_browsers.id);
  update ledger set browser_id = (select new_id from new_ids where id = browser_id)
    where browser_id in (select id from new_ids);
  drop table new_ids;`;

// The index `ended_browsers_by_end` covers `opened_at`, like its predecessor, and `ended_browsers_by_age` is for
// deleting the oldest browsers across all accounts.
const WITHOUT_ENDED = `
  delete from browsers where state = 'closed';
  drop index browsers_by_state;
  drop index browsers_by_end;
  drop index browsers_by_age;
  alter table browsers drop column closed_at;
  alter table browsers drop column reason;
  alter table browsers add column headless integer not null default 0;
  alter table browsers add column tags text;
  alter table browsers add column instance text not null default '';
  create index browsers_of_account on browsers (account_id);
  create index ended_browsers_by_key on ended_browsers (key_hash) where key_hash is not null;
  create index ended_browsers_by_end on ended_browsers (account_id, closed_at, id, opened_at);
  create index ended_browsers_by_age on ended_browsers (closed_at);
  create table keyed_browsers (
    account_id text not null, key text not null, options text not null, browser_id text not null unique, ended_at text,
    address text, primary key (account_id, key));
  create index keyed_browsers_by_end on keyed_browsers (ended_at) where ended_at is not null;`;

/** The log of operators' actions. */
const AUDIT = `
  create table audit (
    id text primary key, at text not null, actor text not null, act text not null, subject text not null,
    details text not null);
  create index audit_of_subject on audit (subject, id);`;

/**
 * The format that `toTimeOrderedId` returns: the time in base 32, then the beginning of the former id, which is random.
 */
const NEW_ID = sql`'br_' || ${sql.join(
  Array.from({ length: 10 }, (_, digit) => {
    const ms = sql`cast(round((julianday(opened_at) - 2440587.5) * 86400000) as integer)`;
    return sql`substr('0123456789abcdefghjkmnpqrstvwxyz', ((${ms} >> ${sql.lit(45 - 5 * digit)}) & 31) + 1, 1)`;
  }),
  sql` || `,
)} || substr(id || '0000000000000000', 1, 16)`;
