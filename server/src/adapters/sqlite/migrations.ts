import type { Kysely } from "kysely";
import type { Migration, MigrationProvider } from "kysely/migration";

/** In the order of their names; one that has shipped never changes. */
const MIGRATIONS: Record<string, Migration> = {
  "0001-accounts-browsers-ledger": { up: createBooks },
};

export const migrations: MigrationProvider = { getMigrations: async () => MIGRATIONS };

async function createBooks(db: Kysely<unknown>): Promise<void> {
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
