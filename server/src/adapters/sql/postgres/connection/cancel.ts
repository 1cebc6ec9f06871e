import { connect } from "node:net";
import type { PoolClient } from "pg";
import { StoreUnavailable } from "../../../../ports/store/store.ts";

/** How long PostgreSQL may take to cancel a statement, in ms. Requests wait until the statement is canceled. */
const CANCEL_MS = 400;
/** https://www.postgresql.org/docs/current/protocol-message-formats.html#PROTOCOL-MESSAGE-FORMATS-CANCELREQUEST */
const CANCEL_REQUEST = 80_877_102;

type Limits = {
  readonly client: PoolClient;
  /** In ms; 0 for no limit. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  /** Called if the connection must not be reused because the database might cancel a later statement on it. */
  readonly onLost: () => void;
};

/**
 * Waits for a statement, and cancels it at the time limit or when its caller gives up.
 * @throws {unknown} The statement's error. A cancelled statement has changed nothing.
 * @throws {StoreUnavailable} If the database doesn't cancel the statement. The outcome is unknown.
 */
export async function orCancelled<T>(running: Promise<T>, { client, timeoutMs, signal, onLost }: Limits): Promise<T> {
  const { promise: silence, reject } = Promise.withResolvers<never>();
  let cancelling: Promise<boolean> | undefined;
  let silent: NodeJS.Timeout | undefined;
  const giveUp = (): void => {
    if (cancelling !== undefined) return;
    cancelling = cancel(client);
    silent = setTimeout(() => {
      reject(new StoreUnavailable("The database didn't cancel a statement in time.", { isOutcomeUnknown: true }));
    }, CANCEL_MS);
  };
  const late = timeoutMs > 0 ? setTimeout(giveUp, timeoutMs) : undefined;
  signal?.addEventListener("abort", giveUp);
  try {
    return await Promise.race([running, silence]);
  } finally {
    clearTimeout(late);
    clearTimeout(silent);
    signal?.removeEventListener("abort", giveUp);
    if ((await cancelling) === false) onLost();
  }
}

/**
 * Asks PostgreSQL, or its pooler, to cancel a connection's current statement. Never rejects.
 * @returns False if the request isn't read in time, although it may still be read later.
 */
function cancel(client: PoolClient): Promise<boolean> {
  // The driver's own cancellation can't confirm that the server has read the request.
  const { host, port, processID, secretKey } = client as PoolClient &
    Readonly<Record<"port" | "processID" | "secretKey", number> & { host: string }>;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = host.startsWith("/") ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
  const request = Buffer.alloc(16);
  [request.length, CANCEL_REQUEST, processID, secretKey].forEach((value, at) => request.writeInt32BE(value, 4 * at));
  const late = setTimeout(() => {
    resolve(false);
    socket.destroy();
  }, CANCEL_MS);
  socket
    .on("error", () => {})
    .on("close", () => {
      clearTimeout(late);
      resolve(true);
    });
  socket.write(request);
  // PostgreSQL sends the signal, and then closes the connection.
  socket.resume();
  return promise;
}
