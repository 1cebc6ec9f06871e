import { PostgresDialect, type PostgresPool, type PostgresPoolClient } from "kysely";
import { Pool, type PoolClient, types } from "pg";
import { StoreUnavailable } from "../../../ports/store.ts";
import { toStorable } from "../storable.ts";
import { toConnectError, toStoreError } from "./errors.ts";
import { newStatements, type Statements } from "./statements.ts";

/** PostgreSQL serves a few connections faster than many, and every server of a deployment has its own. */
const MAX_CONNECTIONS = 6;
/** An Open request that gets no connection is refused within two seconds. */
const CONNECT_TIMEOUT_MS = 1500;
/** How long writes in the background wait for an answer. Requests wait less: `STORE_WAIT_MS`. */
const QUERY_TIMEOUT_MS = 10_000;
/** Unused connections are closed after this time. */
const IDLE_MS = 60_000;

/** https://www.postgresql.org/docs/current/catalog-pg-type.html */
const [INT8, NUMERIC, TIMESTAMPTZ] = [20, 1700, 1184];

const readDate: (text: string) => Date = types.getTypeParser(TIMESTAMPTZ);

const PARSERS: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  // Counts and sums are numbers: none of ours is near 2^53.
  [INT8, Number],
  [NUMERIC, Number],
  // Moments are text, as in SQLite.
  [TIMESTAMPTZ, (text) => readDate(text).toISOString()],
]);

/** How values are read. */
export const TYPES = {
  getTypeParser: (oid: number, format?: "text" | "binary") => PARSERS.get(oid) ?? types.getTypeParser(oid, format),
} as typeof types;

type Options = {
  readonly url: string;
  readonly maxConnections?: number;
  /** How long a query waits for a connection. */
  readonly connectTimeoutMs?: number;
  /** 0: as long as it takes. */
  readonly queryTimeoutMs?: number;
};

/** Kysely's dialect on a pool of connections. Failures that can pass are `StoreUnavailable`. */
export function newPostgresDialect({
  url,
  maxConnections = MAX_CONNECTIONS,
  connectTimeoutMs = CONNECT_TIMEOUT_MS,
  queryTimeoutMs = QUERY_TIMEOUT_MS,
}: Options): PostgresDialect {
  const pool = new Pool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: connectTimeoutMs,
    ...(queryTimeoutMs > 0 && { query_timeout: queryTimeoutMs }),
    idleTimeoutMillis: IDLE_MS,
    keepAlive: true,
    application_name: "remote-browser-service",
    types: TYPES,
  });
  // An unused connection that breaks is replaced by the next query.
  pool.on("error", () => {});
  // The pool gives a connection away before its new user listens to it. If PostgreSQL ends the connection in the same packet in which it
  // accepts it, an error that is not listened to would end the process.
  pool.on("connect", (client) => client.on("error", () => {}));
  return new PostgresDialect({ pool: withStoreErrors(pool) });
}

function withStoreErrors(pool: Pool): PostgresPool {
  const known = new WeakMap<PoolClient, Statements>();
  const statementsOf = (client: PoolClient): Statements => {
    const statements = known.get(client) ?? newStatements(client);
    known.set(client, statements);
    return statements;
  };
  return {
    options: pool.options,
    async connect() {
      try {
        const client = await pool.connect();
        return toClient(client, statementsOf(client));
      } catch (error) {
        throw toConnectError(error);
      }
    },
    end: () => pool.end(),
  };
}

function toParameter(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toParameter);
  return typeof value === "string" ? toStorable(value) : value;
}

function toClient(client: PoolClient, statements: Statements): PostgresPoolClient {
  let isBroken = false;
  // A connection that breaks between two queries of a transaction.
  const onError = (): void => void (isBroken = true);
  client.on("error", onError);
  const wrapped: Pick<PostgresPoolClient, "release"> & { readonly query: unknown } = {
    async query(text: string, parameters: readonly unknown[]) {
      try {
        return await statements.execute(text, parameters.map(toParameter));
      } catch (error) {
        const failure = toStoreError(error);
        // After a time limit, the connection still waits for the query's result.
        isBroken ||= failure instanceof StoreUnavailable && failure.isOutcomeUnknown;
        throw failure;
      }
    },
    release() {
      client.off("error", onError);
      client.release(isBroken);
    },
  };
  // Nothing here reads with cursors.
  return wrapped as PostgresPoolClient;
}
