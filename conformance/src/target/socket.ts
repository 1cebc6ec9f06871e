import { once } from "node:events";
import { type ClientOptions, WebSocket } from "ws";
import { NoAnswer, toNoAnswer } from "./no-answer.ts";

export const CONNECT_MS = 10_000;

/** How a WebSocket ended. */
export type Closing = { readonly code: number; readonly reason: string };

/** A connecting WebSocket. `closed` also resolves if it never opens. */
type Connecting = {
  readonly socket: WebSocket;
  readonly closed: Promise<Closing>;
  /** Rejects when the connection fails, after which the socket closes. */
  readonly opened: Promise<void>;
};

/**
 * Connects a WebSocket. Once it is open, only its close event reports errors.
 * @param what Names the handshake in errors.
 * @param toRefusal Makes the error for a handshake with a status other than 101.
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

/** Resolves with undefined after the timeout. */
export async function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, ms, undefined);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
