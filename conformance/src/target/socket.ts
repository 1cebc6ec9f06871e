import { once } from "node:events";
import { type ClientOptions, WebSocket } from "ws";
import { NoAnswer, toNoAnswer } from "./no-answer.ts";

export const CONNECT_MS = 10_000;

/** The close code and reason of a WebSocket. */
export type Closing = { readonly code: number; readonly reason: string };

/** A WebSocket that is being connected. `closed` resolves even if the WebSocket never opens. */
type Connecting = {
  readonly socket: WebSocket;
  readonly closed: Promise<Closing>;
  /** Rejects if the connection fails. The socket then closes. */
  readonly opened: Promise<void>;
};

/**
 * Connects a WebSocket. Once the socket is open, only its close event reports errors.
 * @param what The handshake's name in error messages.
 * @param toRefusal Creates the error for a handshake whose status isn't 101.
 */
export function connectSocket(
  address: string,
  options: ClientOptions,
  what: string,
  toRefusal: (status: number | undefined) => NoAnswer,
): Connecting {
  const socket = new WebSocket(address, { handshakeTimeout: CONNECT_MS, ...options });
  const closed = new Promise<Closing>((resolve) => {
    socket.once("close", (code, reason) => resolve({ code, reason: String(reason) }));
  });
  const refused = new Promise<never>((_, reject) => {
    socket.once("unexpected-response", (_request, { statusCode }) => reject(toRefusal(statusCode)));
  });
  const opened = Promise.race([once(socket, "open"), refused]).then(
    () => void socket.on("error", () => {}),
    (error: unknown) => {
      socket.on("error", () => {}).terminate();
      throw error instanceof NoAnswer ? error : toNoAnswer(what, error);
    },
  );
  return { socket, closed, opened };
}

/** Resolves with the promise's value, or with undefined after the timeout. */
export async function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, ms, undefined);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
