import { type Kysely, sql } from "kysely";
import type { Migration, MigrationProvider } from "kysely/migration";

/** In the order of their names. A released migration never changes. */
const MIGRATIONS: Record<string, Migration> = {
  "0001-accounts-browsers-ledger": { up: createTables },
  "0002-passwords-sessions-days": { up: addPages },
  "0003-query-tokens": { up: addQueryTokens },
  "0004-charged-minutes": { up: chargeOnRows },
  "0005-sealed-addresses": { up: sealAddresses },
  "0006-ended-browsers": { up: separateEnded },
  "0007-audit": { up: addAudit },
};

export const migrations: MigrationProvider = { getMigrations: async () => MIGRATIONS };

async function createTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("accounts")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("email", "text", (column) => column.notNull())
    .addColumn("email_key", "text", (column) => column.notNull().unique())
    .addColumn("plan", "text")
    .addColumn("parallel", "integer")
    .addColumn("units", "integer")
    .addColumn("additional_units", "integer", (column) => column.notNull())
    .addColumn("disabled", "integer", (column) => column.notNull())
    .addColumn("created_at", "text", (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("tokens")
    .addColumn("hash", "text", (column) => column.primaryKey())
    .addColumn("account_id", "text", (column) => column.notNull().references("accounts.id"))
    .addColumn("prefix", "text", (column) => column.notNull())
    .addColumn("created_at", "text", (column) => column.notNull())
    .addColumn("revoked_at", "text")
    .execute();
  await db.schema
    .createTable("browsers")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("account_id", "text", (column) => column.notNull().references("accounts.id"))
    .addColumn("kind", "text", (column) => column.notNull())
    .addColumn("label", "text")
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("address", "text", (column) => column.unique())
    .addColumn("period", "text", (column) => column.notNull())
    .addColumn("requested_at", "text", (column) => column.notNull())
    .addColumn("opened_at", "text")
    .addColumn("closed_at", "text")
    .addColumn("reason", "text")
    .execute();
  await db.schema.createIndex("browsers_by_state").on("browsers").columns(["state", "account_id"]).execute();
  await db.schema
    .createTable("ledger")
    .addColumn("browser_id", "text", (column) => column.notNull().references("browsers.id"))
    .addColumn("minute", "integer", (column) => column.notNull())
    .addColumn("account_id", "text", (column) => column.notNull().references("accounts.id"))
    .addColumn("period", "text", (column) => column.notNull())
    .addColumn("started_at", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("ledger_key", ["browser_id", "minute"])
    .execute();
  await db.schema
    .createTable("usage")
    .addColumn("account_id", "text", (column) => column.notNull().references("accounts.id"))
    .addColumn("period", "text", (column) => column.notNull())
    .addColumn("units", "integer", (column) => column.notNull())
    .addPrimaryKeyConstraint("usage_key", ["account_id", "period"])
    .execute();
}

/** For the dashboard: passwords, sessions, several tokens, and units per day instead of per month. */
async function addPages(db: Kysely<unknown>): Promise<void> {
  for (const column of ["password", "provider_key", "erased_at"])
    await db.schema.alterTable("accounts").addColumn(column, "text").execute();
  await db.schema
    .alterTable("accounts")
    .addColumn("operator", "integer", (column) => column.notNull().defaultTo(0))
    .execute();
  // The account that each first start makes.
  await sql`update accounts set operator = 1 where email_key = 'operator@localhost'`.execute(db);
  await sql`create index operators on accounts (id) where operator = 1`.execute(db);
  await sql`create index accounts_by_beginning on accounts (created_at, id) where erased_at is null`.execute(db);

  await db.schema.alterTable("tokens").addColumn("id", "text").execute();
  await db.schema
    .alterTable("tokens")
    .addColumn("name", "text", (column) => column.notNull().defaultTo("first"))
    .execute();
  await db.schema.alterTable("tokens").addColumn("last_used_at", "text").execute();
  await sql`update tokens set id = lower(hex(randomblob(8)))`.execute(db);
  await db.schema.createIndex("tokens_by_account").on("tokens").columns(["account_id", "id"]).unique().execute();
  await sql`delete from tokens where revoked_at is not null`.execute(db);
  await db.schema.alterTable("tokens").dropColumn("revoked_at").execute();

  await db.schema
    .createTable("sessions")
    .addColumn("hash", "text", (column) => column.primaryKey())
    .addColumn("account_id", "text", (column) => column.notNull().references("accounts.id"))
    .addColumn("created_at", "text", (column) => column.notNull())
    .addColumn("expires_at", "text", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("sessions_by_account").on("sessions").column("account_id").execute();
  await db.schema.createIndex("sessions_by_end").on("sessions").column("expires_at").execute();

  await db.schema
    .createTable("daily_usage")
    .addColumn("account_id", "text", (column) => column.notNull().references("accounts.id"))
    .addColumn("day", "text", (column) => column.notNull())
    .addColumn("units", "integer", (column) => column.notNull())
    .addPrimaryKeyConstraint("daily_usage_key", ["account_id", "day"])
    .execute();
  await sql`insert into daily_usage (account_id, day, units)
    select account_id, substr(started_at, 1, 10), count(*) from ledger group by 1, 2`.execute(db);
  await db.schema.dropTable("usage").execute();

  // The index covers `opened_at`, so reading when browsers were open needs no table rows.
  const byEnd = ["account_id", "closed_at", "id", "opened_at"];
  await db.schema.createIndex("browsers_by_end").on("browsers").columns(byEnd).execute();
  await refuseChangesOfLedger(db);
}

async function addQueryTokens(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("query_tokens")
    .addColumn("day", "text", (column) => column.notNull())
    .addColumn("account_id", "text", (column) => column.notNull().references("accounts.id"))
    .addColumn("tokens", "integer", (column) => column.notNull())
    .addPrimaryKeyConstraint("query_tokens_key", ["day", "account_id"])
    .execute();
}

/** Charged minutes are a number of the browser's row, and the ledger has a row for each ended browser and day. */
async function chargeOnRows(db: Kysely<unknown>): Promise<void> {
  // No server is running, so its browsers are lost, each at its last charged minute.
  await sql`delete from browsers where state = 'opening'`.execute(db);
  await sql`update browsers set state = 'closed', address = null, reason = 'lost',
    closed_at = (select max(started_at) from ledger where browser_id = browsers.id) where state = 'open'`.execute(db);
  await sql`alter table browsers add column charged integer not null default 0`.execute(db);
  await sql`update browsers set charged = (select count(*) from ledger where browser_id = browsers.id)`.execute(db);
  await db.schema.alterTable("browsers").dropColumn("period").execute();

  await db.schema
    .createTable("account_load")
    .addColumn("account_id", "text", (column) => column.primaryKey())
    .addColumn("barred", "integer", (column) => column.notNull())
    .addColumn("opening", "integer", (column) => column.notNull().check(sql`opening >= 0`))
    .addColumn("open", "integer", (column) => column.notNull().check(sql`open >= 0`))
    .addColumn("period", "text", (column) => column.notNull())
    .addColumn("units", "integer", (column) => column.notNull())
    .execute();
  await sql`insert into account_load (account_id, barred, opening, open, period, units)
    select id, max(disabled, erased_at is not null), 0, 0, coalesce(latest, ''),
      coalesce((select sum(units) from daily_usage where account_id = id and substr(day, 1, 7) = latest), 0)
    from (select *, (select max(substr(day, 1, 7)) from daily_usage where account_id = id) as latest from accounts)`.execute(
    db,
  );

  await db.schema.alterTable("ledger").renameTo("ledger_of_minutes").execute();
  await db.schema
    .createTable("ledger")
    .addColumn("browser_id", "text", (column) => column.notNull())
    .addColumn("day", "text", (column) => column.notNull())
    .addColumn("account_id", "text", (column) => column.notNull())
    .addColumn("units", "integer", (column) => column.notNull())
    .addPrimaryKeyConstraint("ledger_key", ["browser_id", "day"])
    .execute();
  await sql`insert into ledger (browser_id, day, account_id, units)
    select browser_id, substr(started_at, 1, 10), account_id, count(*) from ledger_of_minutes group by 1, 2`.execute(
    db,
  );
  // Its triggers go with it.
  await db.schema.dropTable("ledger_of_minutes").execute();
  await refuseChangesOfLedger(db);
}

/** Addresses are sealed, and found by a hash. Accounts count their changes. */
async function sealAddresses(db: Kysely<unknown>): Promise<void> {
  for (const table of ["accounts", "account_load"])
    await sql`alter table ${sql.ref(table)} add column version integer not null default 0`.execute(db);
  // A new table, because SQLite can't remove the column of an index. No server is running, so open addresses are of no
  // use.
  await sql`create table new_browsers (
    id text primary key, account_id text not null, kind text not null, label text, state text not null,
    worker text not null, key_hash text, address text, requested_at text not null, opened_at text, closed_at text, reason text,
    charged integer not null)`.execute(db);
  await sql`insert into new_browsers
    select id, account_id, kind, label, state, '', null, null, requested_at, opened_at, closed_at, reason, charged
    from browsers`.execute(db);
  await db.schema.dropTable("browsers").execute();
  await db.schema.alterTable("new_browsers").renameTo("browsers").execute();
  await sql`create index browsers_by_state on browsers (state, account_id)`.execute(db);
  await sql`create unique index browsers_by_key on browsers (key_hash) where key_hash is not null`.execute(db);
  // The index covers `opened_at`, so reading when browsers were open needs no table rows.
  await db.schema
    .createIndex("browsers_by_end")
    .on("browsers")
    .columns(["account_id", "closed_at", "id", "opened_at"])
    .execute();
  // For deleting the oldest ones of all accounts.
  await sql`create index browsers_by_age on browsers (closed_at) where closed_at is not null`.execute(db);
}

/** Browsers that have ended have a table of their own. Ids begin with their time, and users know them. */
async function separateEnded(db: Kysely<unknown>): Promise<void> {
  await sql`create table ended_browsers (
    id text primary key, account_id text not null, kind text not null, headless integer not null, label text, tags text,
    key_hash text, opened_at text not null, closed_at text not null, reason text not null, units integer not null,
    keep_open real, bytes_sent integer, bytes_received integer)`.execute(db);
  // It was not recorded whether other kinds were headless.
  await sql`insert into ended_browsers
    select id, account_id, kind, kind = 'chrome-headless-shell', label, null, key_hash, opened_at, closed_at, reason, charged,
      null, null, null
    from browsers where state = 'closed'`.execute(db);
  await sql`create temp table new_ids as select id, ${NEW_ID} as new_id from ended_browsers`.execute(db);
  await sql`create index temp.by_id on new_ids (id)`.execute(db);
  await sql`drop trigger ledger_takes_no_update`.execute(db);
  await sql`drop trigger ledger_takes_no_delete`.execute(db);
  await sql`update ended_browsers set id = (select new_id from new_ids where id = ended_browsers.id)`.execute(db);
  await sql`update ledger set browser_id = (select new_id from new_ids where id = browser_id)
    where browser_id in (select id from new_ids)`.execute(db);
  await sql`drop table new_ids`.execute(db);
  await refuseChangesOfLedger(db);
  await sql`delete from browsers where state = 'closed'`.execute(db);
  for (const index of ["browsers_by_state", "browsers_by_end", "browsers_by_age"])
    await db.schema.dropIndex(index).execute();
  for (const column of ["closed_at", "reason"]) await db.schema.alterTable("browsers").dropColumn(column).execute();
  await sql`alter table browsers add column headless integer not null default 0`.execute(db);
  await sql`alter table browsers add column tags text`.execute(db);
  await sql`alter table browsers add column instance text not null default ''`.execute(db);
  await sql`create index browsers_of_account on browsers (account_id)`.execute(db);
  await sql`create index ended_browsers_by_key on ended_browsers (key_hash) where key_hash is not null`.execute(db);
  // The index covers `opened_at`, so reading when browsers were open needs no table rows.
  await db.schema
    .createIndex("ended_browsers_by_end")
    .on("ended_browsers")
    .columns(["account_id", "closed_at", "id", "opened_at"])
    .execute();
  // For deleting the oldest ones of all accounts.
  await sql`create index ended_browsers_by_age on ended_browsers (closed_at)`.execute(db);
  await sql`create table keyed_browsers (
    account_id text not null, key text not null, options text not null, browser_id text not null unique, ended_at text,
    address text, primary key (account_id, key))`.execute(db);
  await sql`create index keyed_browsers_by_end on keyed_browsers (ended_at) where ended_at is not null`.execute(db);
}

/** What operators have done. */
async function addAudit(db: Kysely<unknown>): Promise<void> {
  await sql`create table audit (
    id text primary key, at text not null, actor text not null, act text not null, subject text not null,
    details text not null)`.execute(db);
  await sql`create index audit_of_subject on audit (subject, id)`.execute(db);
}

/** As `toTimeOrderedId` makes them: the time in base 32, and the beginning of the former id, which is random. */
const NEW_ID = sql`'br_' || ${sql.join(
  Array.from({ length: 10 }, (_, digit) => {
    const ms = sql`cast(round((julianday(opened_at) - 2440587.5) * 86400000) as integer)`;
    return sql`substr('0123456789abcdefghjkmnpqrstvwxyz', ((${ms} >> ${sql.lit(45 - 5 * digit)}) & 31) + 1, 1)`;
  }),
  sql` || `,
)} || substr(id || '0000000000000000', 1, 16)`;

async function refuseChangesOfLedger(db: Kysely<unknown>): Promise<void> {
  for (const change of ["update", "delete"]) {
    await sql`create trigger ${sql.ref(`ledger_takes_no_${change}`)} before ${sql.raw(change)} on ledger
      begin select raise(abort, 'The ledger is append-only.'); end`.execute(db);
  }
}
