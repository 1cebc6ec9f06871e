import { PostgresDialect, type PostgresPoolClient } from "kysely";
import { Pool, type PoolClient, types } from "pg";
import { Semaphore } from "../../../../concurrency/semaphore.ts";
import type { Clock } from "../../../../ports/clock.ts";
import { ShareUsed, StoreUnavailable } from "../../../../ports/store/store.ts";
import type { StoreCaller } from "../../../../ports/store/store-caller.ts";
import { toStorable } from "../../storable.ts";
import { orCancelled } from "./cancel.ts";
import { toConnectError, toStoreError } from "./errors.ts";
import { newStatements, type Statements } from "./statements.ts";

/** PostgreSQL is faster with few connections, and each server in a deployment has its own pool. */
export const MAX_CONNECTIONS = 6;
/** Low enough that an Open request is refused within two seconds if no connection can be made. */
const CONNECT_TIMEOUT_MS = 1500;
/** Query timeout in ms for background writes and pages. Most requests have a shorter limit: `STORE_WAIT_MS`. */
const QUERY_TIMEOUT_MS = 10_000;
/** Maximum number of statements that wait for a connection, from requests and the server's own tasks. */
const MAX_WAITING = 10_000;
const IDLE_MS = 60_000;

/** https://www.postgresql.org/docs/current/catalog-pg-type.html */
const [INT8, NUMERIC, TIMESTAMPTZ] = [20, 1700, 1184];

const readDate: (text: string) => Date = types.getTypeParser(TIMESTAMPTZ);

const PARSERS: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  // Counts and sums stay far below 2^53.
  [INT8, Number],
  [NUMERIC, Number],
  // Timestamps are text, as in SQLite.
  [TIMESTAMPTZ, (text) => readDate(text).toISOString()],
]);

export const TYPES = {
  getTypeParser: (oid: number, format?: "text" | "binary") => PARSERS.get(oid) ?? types.getTypeParser(oid, format),
} as typeof types;

type Options = {
  readonly url: string;
  readonly maxConnections?: number;
  readonly connectTimeoutMs?: number;
  /** How long a statement may take before the database cancels it; 0 for no limit. */
  readonly queryTimeoutMs?: number;
  /** Limits each caller to a share of the connections. If undefined, callers compete for all connections. */
  readonly callers?: Callers;
};

export type Callers = {
  readonly clock: Pick<Clock, "after">;
  /** Returns the caller on whose behalf the current code runs. */
  readonly read: () => StoreCaller;
};

type Connect = () => Promise<PostgresPoolClient>;

/** Returns Kysely's PostgreSQL dialect with a pool. Its queries throw `StoreUnavailable` for temporary failures. */
export function newPostgresDialect({
  url,
  maxConnections = MAX_CONNECTIONS,
  connectTimeoutMs = CONNECT_TIMEOUT_MS,
  queryTimeoutMs = QUERY_TIMEOUT_MS,
  callers,
}: Options): PostgresDialect {
  const pool = new Pool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: IDLE_MS,
    keepAlive: true,
    application_name: "remote-browser-service",
    types: TYPES,
  });
  // The next query replaces an idle connection that was lost.
  pool.on("error", () => {});
  // PostgreSQL may accept and close a connection in the same packet, before the pool's caller listens for errors. An
  // unhandled error event would crash the process.
  pool.on("connect", (client) => client.on("error", () => {}));
  const known = new WeakMap<PoolClient, Statements>();
  const connect: Connect = async () => {
    const client = await pool.connect().catch((error: unknown) => {
      throw toConnectError(error);
    });
    const statements = known.get(client) ?? newStatements(client);
    known.set(client, statements);
    return toClient(client, statements, { timeoutMs: queryTimeoutMs, signal: callers?.read().signal });
  };
  return new PostgresDialect({
    pool: {
      options: pool.options,
      connect: callers === undefined ? connect : withShares(connect, callers, { maxConnections, connectTimeoutMs }),
      end: () => pool.end(),
    },
  });
}

/** Limits each share to half of the connections, so that one caller's slow statements don't occupy all of them. */
function withShares(
  connect: Connect,
  { clock, read }: Callers,
  { maxConnections, connectTimeoutMs }: Required<Pick<Options, "maxConnections" | "connectTimeoutMs">>,
): Connect {
  const connections = new Semaphore({
    limit: maxConnections,
    perShare: Math.ceil(maxConnections / 2),
    maxWaiting: MAX_WAITING,
    maxWaitMs: connectTimeoutMs,
    clock,
    onFull: () => new StoreUnavailable("Too many statements are waiting for a connection."),
    onLate: () => new StoreUnavailable("No connection became free in time."),
  });
  return async () => {
    const { share, signal } = read();
    const permit = await connections.acquire(signal, share).catch((error: unknown) => {
      throw connections.held < maxConnections ? new ShareUsed({ cause: error }) : error;
    });
    try {
      const client = await connect();
      return {
        ...client,
        release() {
          client.release();
          permit[Symbol.dispose]();
        },
      };
    } catch (error) {
      permit[Symbol.dispose]();
      throw error;
    }
  };
}

function toParameter(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toParameter);
  return typeof value === "string" ? toStorable(value) : value;
}

function toClient(
  client: PoolClient,
  statements: Statements,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal | undefined },
): PostgresPoolClient {
  let isBroken = false;
  // The connection may be lost between two queries of a transaction.
  const onError = (): void => void (isBroken = true);
  client.on("error", onError);
  const wrapped: Pick<PostgresPoolClient, "release"> & { readonly query: unknown } = {
    async query(text: string, parameters: readonly unknown[]) {
      // The caller has given up: skip the rest of the transaction.
      if (text !== "rollback") signal?.throwIfAborted();
      try {
        const running = statements.execute(text, parameters.map(toParameter));
        return await orCancelled(running, { client, timeoutMs, signal, onLost: onError });
      } catch (error) {
        const failure = toStoreError(error);
        // After a timeout, the connection still waits for the query's result.
        isBroken ||= failure instanceof StoreUnavailable && failure.isOutcomeUnknown;
        throw failure;
      }
    },
    release() {
      client.off("error", onError);
      client.release(isBroken);
    },
  };
  // Without cursors, one `query` signature is enough.
  return wrapped as PostgresPoolClient;
}
