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

/** PostgreSQL serves a few connections faster than many, and every server of a deployment has its own. */
export const MAX_CONNECTIONS = 6;
/** An Open request that gets no connection is refused within two seconds. */
const CONNECT_TIMEOUT_MS = 1500;
/** How long writes in the background and pages wait for an answer. Most requests wait less: `STORE_WAIT_MS`. */
const QUERY_TIMEOUT_MS = 10_000;
/** Statements that may wait for a connection. Each belongs to a request, or to one of the server's own tasks. */
const MAX_WAITING = 10_000;
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
  /** Afterwards, the database ends the statement. 0: as long as it takes. */
  readonly queryTimeoutMs?: number;
  /** Gives each caller a share of the connections. Undefined: all are one. */
  readonly callers?: Callers;
};

export type Callers = {
  readonly clock: Pick<Clock, "after">;
  /** The caller of the code that runs now. */
  readonly read: () => StoreCaller;
};

type Connect = () => Promise<PostgresPoolClient>;

/** Kysely's dialect on a pool of connections. Failures that can pass are `StoreUnavailable`. */
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
  // An unused connection that breaks is replaced by the next query.
  pool.on("error", () => {});
  // The pool gives a connection away before its new user listens to it. If PostgreSQL ends the connection in the same
  // packet in which it accepts it, an error that is not listened to would end the process.
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

/** Lets each share have half of the connections, so that one whose statements wait doesn't keep all of them. */
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
    onFull: () => new StoreUnavailable("Too many statements wait for a connection."),
    onLate: () => new StoreUnavailable("No connection was free in time."),
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
  // A connection that breaks between two queries of a transaction.
  const onError = (): void => void (isBroken = true);
  client.on("error", onError);
  const wrapped: Pick<PostgresPoolClient, "release"> & { readonly query: unknown } = {
    async query(text: string, parameters: readonly unknown[]) {
      // The caller has given up, so the rest of the transaction isn't wanted.
      if (text !== "rollback") signal?.throwIfAborted();
      try {
        const running = statements.execute(text, parameters.map(toParameter));
        return await orCancelled(running, { client, timeoutMs, signal, onLost: onError });
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
