import { once } from "node:events";
import { type ClientOptions, WebSocket } from "ws";
import { expectWebSocketUrl } from "./addresses.ts";
import { isObject, parse, toObject } from "./json.ts";
import { NoAnswer, toNoAnswer } from "./no-answer.ts";

const CONNECT_MS = 10_000;
const CLOSE_MS = 2000;
const COMMAND_MS = 20_000;

/** How a WebSocket ended. */
export type Closing = { readonly code: number; readonly reason: string };

/** The result of a command: DevTools' own result or error. */
export type Outcome =
  | { readonly result: Record<string, unknown> }
  | { readonly error: { readonly code: number; readonly message: string } };

/** A raw DevTools client. Disposing disconnects it and leaves the browser open. */
export type Devtools = AsyncDisposable & {
  /** @throws {NoAnswer} When the connection ends first, or the command times out. */
  command(method: string, params?: object, sessionId?: string): Promise<Outcome>;
  readonly closed: Promise<Closing>;
  /** Resolves with the end of the connection, or with undefined if it stays open for this long. */
  closing(withinMs: number): Promise<Closing | undefined>;
};

type Message = { readonly id: number; readonly outcome: Outcome };

/** @throws {NoAnswer} When the connection is refused, or the address is not valid. */
export async function connectDevtools(address: string, options: ClientOptions = {}): Promise<Devtools> {
  const socket = new WebSocket(expectWebSocketUrl(address), {
    maxPayload: 64 * 2 ** 20,
    handshakeTimeout: CONNECT_MS,
    ...options,
  });
  const waiting = new Map<number, (outcome: Outcome | undefined) => void>();
  const closed = new Promise<Closing>((resolve) => {
    socket.once("close", (code, reason) => resolve({ code, reason: String(reason) }));
  });
  socket.on("message", (data: Buffer) => {
    const message = readMessage(String(data));
    if (message === undefined) return;
    waiting.get(message.id)?.(message.outcome);
    waiting.delete(message.id);
  });
  void closed.then(() => {
    for (const settle of waiting.values()) settle(undefined);
  });
  const refused = new Promise<never>((_, reject) => {
    socket.once("unexpected-response", (_request, { statusCode }) => {
      reject(
        new NoAnswer(`The DevTools connection was refused with ${statusCode}.`, {
          isReached: true,
          expected: "a DevTools connection",
        }),
      );
    });
  });
  try {
    await Promise.race([once(socket, "open"), refused]);
  } catch (cause) {
    socket.terminate();
    throw cause instanceof NoAnswer ? cause : toNoAnswer("The handshake of a DevTools connection", cause);
  } finally {
    // From here on, the close event reports errors.
    socket.on("error", () => {});
  }
  let last = 0;
  return {
    closed,
    closing: (withinMs) => within(closed, withinMs),
    async command(method, params = {}, sessionId) {
      last += 1;
      const id = last;
      const answered = new Promise<Outcome | undefined>((resolve) => {
        waiting.set(id, resolve);
      });
      if (socket.readyState !== WebSocket.OPEN) waiting.get(id)?.(undefined);
      else socket.send(JSON.stringify({ id, method, params, ...(sessionId === undefined ? {} : { sessionId }) }));
      const outcome = await within(answered, COMMAND_MS);
      if (outcome === undefined) throw new NoAnswer(`DevTools did not answer ${method}.`, { isReached: true });
      return outcome;
    },
    async [Symbol.asyncDispose]() {
      socket.close(1000);
      if ((await within(closed, CLOSE_MS)) !== undefined) return;
      socket.terminate();
      await within(closed, CLOSE_MS);
    },
  };
}

/** The response to a command. Undefined for any other message. */
function readMessage(text: string): Message | undefined {
  const { id, result, error } = toObject(parse(text));
  if (typeof id !== "number") return undefined;
  if (isObject(result)) return { id, outcome: { result } };
  const { code, message } = toObject(error);
  return isObject(error) ? { id, outcome: { error: { code: Number(code), message: String(message) } } } : undefined;
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
