import type { Migration, MigrationProvider } from "kysely/migration";
import { executeAll } from "../migration-state.ts";

/**
 * Migrations, applied in the order of their names. A released migration never changes. Servers of the previous version
 * keep running during a migration, so a migration may only add what those servers can ignore, and its name begins with
 * `NNNN-expand-`. A later release removes what only those servers use.
 */
const MIGRATIONS: Record<string, Migration> = {
  "0001-tables": { up: (db) => executeAll(db, TABLES) },
  "0002-expand-fleet": { up: (db) => executeAll(db, FLEET) },
  "0003-expand-audit": { up: (db) => executeAll(db, AUDIT) },
};

export const postgresMigrations: MigrationProvider = { getMigrations: async () => MIGRATIONS };

// As in SQLite, text is sorted by bytes, and flags are 0 or 1. Most rows are in `ended_browsers`, so its timestamps
// take 8 bytes instead of 25, and its 8-byte columns come first because of their alignment.
const TABLES = `
  create table accounts (
    id text collate "C" primary key,
    email text not null,
    email_key text collate "C" not null unique,
    plan text,
    parallel integer,
    units integer,
    additional_units integer not null,
    disabled integer not null,
    operator integer not null,
    created_at text collate "C" not null,
    version integer not null,
    password text,
    provider_key text,
    erased_at text);
  create index operators on accounts (id) where operator = 1;
  create index accounts_by_beginning on accounts (created_at, id) where erased_at is null;

  create table tokens (
    hash text collate "C" primary key,
    id text collate "C" not null,
    account_id text collate "C" not null references accounts (id),
    name text not null,
    prefix text not null,
    created_at text collate "C" not null,
    last_used_at text collate "C");
  create unique index tokens_by_account on tokens (account_id, id);

  create table sessions (
    hash text collate "C" primary key,
    account_id text collate "C" not null references accounts (id),
    created_at text collate "C" not null,
    expires_at text collate "C" not null);
  create index sessions_by_account on sessions (account_id);
  create index sessions_by_end on sessions (expires_at);

  create table account_load (
    account_id text collate "C" primary key,
    version integer not null,
    barred integer not null,
    opening integer not null check (opening >= 0),
    open integer not null check (open >= 0),
    period text collate "C" not null,
    units integer not null) with (fillfactor = 50);

  create table browsers (
    id text collate "C" primary key,
    account_id text collate "C" not null,
    kind text not null,
    headless integer not null,
    label text,
    tags text,
    state text collate "C" not null,
    worker text collate "C" not null,
    instance text collate "C" not null,
    key_hash text collate "C",
    address text,
    requested_at text collate "C" not null,
    opened_at text collate "C",
    charged integer not null) with (fillfactor = 80);
  create unique index browsers_by_key on browsers (key_hash) where key_hash is not null;
  create index browsers_of_worker on browsers (worker);
  create index browsers_of_account on browsers (account_id);

  create table ended_browsers (
    opened_at timestamptz(3) not null,
    closed_at timestamptz(3) not null,
    keep_open double precision,
    bytes_sent bigint,
    bytes_received bigint,
    headless integer not null,
    units integer not null,
    id text collate "C" primary key,
    account_id text collate "C" not null,
    kind text not null,
    label text,
    tags text,
    key_hash text collate "C",
    reason text not null);
  create index ended_browsers_by_key on ended_browsers using hash (key_hash) where key_hash is not null;
  create index ended_browsers_by_end on ended_browsers (account_id, closed_at);
  create index ended_browsers_by_age on ended_browsers using brin (closed_at);

  create table keyed_browsers (
    account_id text collate "C" not null,
    key text collate "C" not null,
    options text not null,
    browser_id text collate "C" not null unique,
    ended_at text collate "C",
    address text,
    primary key (account_id, key));
  create index keyed_browsers_by_end on keyed_browsers (ended_at) where ended_at is not null;

  create table ledger (
    browser_id text collate "C" not null,
    day text collate "C" not null,
    account_id text collate "C" not null,
    units integer not null,
    primary key (browser_id, day));
  create function refuse_change_of_ledger() returns trigger language plpgsql
    as 'begin raise exception ''The ledger is append-only.''; end';
  create trigger ledger_is_append_only before update or delete or truncate on ledger
    execute function refuse_change_of_ledger();

  create table daily_usage (
    account_id text collate "C" not null,
    day text collate "C" not null,
    units integer not null,
    primary key (account_id, day)) with (fillfactor = 50);

  create table query_tokens (
    day text collate "C" not null,
    account_id text collate "C" not null,
    tokens bigint not null,
    primary key (day, account_id));

  create table workers (
    id text collate "C" primary key,
    instance text collate "C" not null,
    wanted text not null,
    seen_at timestamptz not null,
    lease_until timestamptz not null,
    report text not null) with (fillfactor = 50);

  create table attempts (
    key text collate "C" primary key,
    points integer not null,
    expire double precision not null);
  create index attempts_by_end on attempts (expire);`;

// Adds columns for the attempt to open a browser, its worker's sealed details, and whether its worker should close it.
const FLEET = `
  alter table browsers add attempt integer not null default 1;
  alter table browsers add details text;
  alter table browsers add wanted_closed integer not null default 0;`;

const AUDIT = `
  create table audit (
    id text collate "C" primary key,
    at text collate "C" not null,
    actor text collate "C" not null,
    act text not null,
    subject text collate "C" not null,
    details text not null);
  create index audit_of_subject on audit (subject, id);`;
