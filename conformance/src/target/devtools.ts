import { type ClientOptions, WebSocket } from "ws";
import { expectWebSocketUrl } from "./addresses.ts";
import { isObject, parse, toObject } from "./json.ts";
import { NoAnswer } from "./no-answer.ts";
import { type Closing, connectSocket, within } from "./socket.ts";

const CLOSE_MS = 2000;
const COMMAND_MS = 40_000;

/** The outcome of a command: the result or error returned by DevTools. */
export type Outcome =
  | { readonly result: Record<string, unknown> }
  | { readonly error: { readonly code: number; readonly message: string } };

/** A DevTools client. Disposal disconnects the client and leaves the browser open. */
export type Devtools = AsyncDisposable & {
  /** @throws {NoAnswer} If the connection closes before the response, or the command times out. */
  command(method: string, params?: object, sessionId?: string): Promise<Outcome>;
  /** Resolves when the connection closes, or with undefined if it is still open after `withinMs`. */
  closing(withinMs: number): Promise<Closing | undefined>;
};

type Message = { readonly id: number; readonly outcome: Outcome };

/** @throws {NoAnswer} If the connection is rejected, or the address is not valid. */
export async function connectDevtools(address: string, options: ClientOptions = {}): Promise<Devtools> {
  const { socket, closed, opened } = connectSocket(
    expectWebSocketUrl(address),
    { maxPayload: 64 * 2 ** 20, ...options },
    "The handshake of a DevTools connection",
    (status) =>
      new NoAnswer(`The DevTools connection was rejected with ${status}.`, {
        isReached: true,
        expected: "a DevTools connection",
      }),
  );
  const waiting = new Map<number, (outcome: Outcome | undefined) => void>();
  socket.on("message", (data: Buffer) => {
    const message = readMessage(String(data));
    if (message === undefined) return;
    waiting.get(message.id)?.(message.outcome);
    waiting.delete(message.id);
  });
  void closed.then(() => {
    for (const settle of waiting.values()) settle(undefined);
  });
  await opened;
  let last = 0;
  return {
    closing: (withinMs) => within(closed, withinMs),
    async command(method, params = {}, sessionId) {
      last += 1;
      const id = last;
      const { promise: answered, resolve } = Promise.withResolvers<Outcome | undefined>();
      waiting.set(id, resolve);
      if (socket.readyState !== WebSocket.OPEN) resolve(undefined);
      else socket.send(JSON.stringify({ id, method, params, ...(sessionId === undefined ? {} : { sessionId }) }));
      const outcome = await within(answered, COMMAND_MS);
      if (outcome === undefined) throw new NoAnswer(`DevTools did not respond to ${method}.`, { isReached: true });
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

/** Reads the response to a command. Undefined for any other message. */
function readMessage(text: string): Message | undefined {
  const { id, result, error } = toObject(parse(text));
  if (typeof id !== "number") return undefined;
  if (isObject(result)) return { id, outcome: { result } };
  const { code, message } = toObject(error);
  return isObject(error) ? { id, outcome: { error: { code: Number(code), message: String(message) } } } : undefined;
}
