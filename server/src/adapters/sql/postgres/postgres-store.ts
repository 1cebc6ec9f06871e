import { Kysely, sql } from "kysely";
import type { SecretBox } from "../../../ports/secret-box.ts";
import type { Store } from "../../../ports/store/store.ts";
import { findPending } from "../migration-state.ts";
import { rekeyColumn } from "../rekey.ts";
import type { Tables } from "../schema.ts";
import { newStores } from "../stores.ts";
import { withTokenCache } from "../tables/token-cache.ts";
import { newAttemptStore } from "./attempts.ts";
import { newBrowserStore } from "./browsers.ts";
import { type FeedOptions, PostgresChangeFeed } from "./change-feed.ts";
import { postgresEngine } from "./engine.ts";
import { newFleetStore } from "./fleet.ts";
import { postgresMigrations } from "./migrations.ts";
import { type Callers, MAX_CONNECTIONS, newPostgresDialect } from "./connection/pool.ts";
import { newServerRegistry } from "./workers.ts";

const OLDEST_VERSION = 15;
/** How long a token may still work after another server has revoked it, in ms. Account limits are always current. */
const TOKEN_MS = 800;
/** Time limit for a report, in ms. A server that hasn't reported for ten seconds is considered dead. */
const REPORT_MS = 4000;

export type PostgresOptions = {
  /** The `postgres://…` URL of PostgreSQL or of a pooler such as PgBouncer. */
  readonly url: string;
  /** Encrypts the addresses of open browsers. */
  readonly box: SecretBox;
  /** The id of this server, stored with its browsers. */
  readonly worker: string;
  /** Identifies this run of the server. */
  readonly instance: string;
  /** Undefined if this process doesn't report changes to others. */
  readonly feed?: FeedOptions;
  /** At least two: one is reserved for reports and readiness checks. */
  readonly maxConnections?: number;
  readonly callers?: Callers;
  readonly connectTimeoutMs?: number;
};

/**
 * Opens a database whose tables are up to date.
 * @throws {Error} If the database can't be reached, its tables belong to another version, or a setting is unsuitable.
 */
export async function openPostgresStore({
  box,
  worker,
  instance,
  feed,
  maxConnections = MAX_CONNECTIONS,
  ...connections
}: PostgresOptions): Promise<Store> {
  const connect = (limits: { maxConnections: number; queryTimeoutMs?: number }): Kysely<Tables> =>
    new Kysely({ dialect: newPostgresDialect({ ...connections, ...limits }) });
  const db = connect({ maxConnections: maxConnections - 1 });
  // With a single connection, lists of workers are returned in the order in which they were read.
  const reports = connect({ maxConnections: 1, queryTimeoutMs: REPORT_MS });
  try {
    await checkSettings(db);
    const pending = await findPending(db, postgresMigrations);
    if (pending.length > 0) {
      throw new Error(
        `The database's tables belong to an earlier version and lack ${pending.join(", ")}. ` +
          "Update them: npm run account -- migrate",
      );
    }
  } catch (error) {
    await db.destroy();
    throw error;
  }
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await changes?.[Symbol.asyncDispose]();
    await Promise.all([db.destroy(), reports.destroy()]);
  };
  const stores = newStores(db, postgresEngine, box);
  const changes = feed && new PostgresChangeFeed({ ...feed, db, instance });
  return {
    ...stores,
    ...withTokenCache(stores, () => Math.floor(performance.now() / TOKEN_MS)),
    browsers: newBrowserStore(db, box, { worker, instance }),
    attempts: newAttemptStore(db),
    workers: newServerRegistry({ db, reports }, { worker, instance }),
    fleet: newFleetStore(db, box, { worker, instance }),
    async rekey() {
      await rekeyColumn(db, box, "browsers", "id", "details");
      return stores.rekey();
    },
    changes,
    async check() {
      await sql`select 1`.execute(reports);
    },
    [Symbol.asyncDispose]: () => (closing ??= close()),
  };
}

async function checkSettings(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ version: number; isolation: string; encoding: string; dates: string }>`
    select current_setting('server_version_num')::int / 10000 as version,
      current_setting('default_transaction_isolation') as isolation,
      current_setting('server_encoding') as encoding,
      current_setting('DateStyle') as dates`.execute(db);
  const [{ version, isolation, encoding, dates } = { version: 0, isolation: "", encoding: "", dates: "" }] = rows;
  if (version < OLDEST_VERSION) throw new Error(`PostgreSQL ${version} is too old: use ${OLDEST_VERSION} or later.`);
  if (isolation !== "read committed") {
    throw new Error(
      `The database's default_transaction_isolation is ${isolation}, but must be read committed: ` +
        "alter role … set default_transaction_isolation = 'read committed'",
    );
  }
  if (!dates.startsWith("ISO")) {
    throw new Error(`The database's DateStyle is ${dates}, but must be ISO: alter role … set DateStyle = 'ISO'`);
  }
  if (encoding !== "UTF8") throw new Error(`The database's encoding is ${encoding}, but must be UTF8.`);
}
