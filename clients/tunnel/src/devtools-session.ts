import { connect } from "./connect.ts";
import { toPlainText, TunnelFailure } from "./failure.ts";

const COMMAND_MS = 10_000;
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

/** The close code of a connection that ended without a close frame (RFC 6455, section 7.1.5). */
export const ABNORMAL = 1006;

type Closing = { readonly code: number; readonly reason: string };

type Answer = { readonly id?: number; readonly result?: unknown; readonly error?: { readonly message?: string } };

/** A DevTools connection for sending commands to a browser. */
export type DevtoolsSession = Disposable & {
  /**
   * Sends a command, and returns its result.
   * @throws {TunnelFailure} `Unreachable` if the command fails, the connection closes, or there is no response within
   * 10 s. After 10 s without a response, the connection is closed.
   */
  command<Result>(method: string): Promise<Result>;
  /** Resolves when the connection has closed. */
  readonly closed: Promise<Closing>;
};

/** @throws {TunnelFailure} If the connection fails. */
export async function openDevtoolsSession(url: URL): Promise<DevtoolsSession> {
  const { socket, opened } = connect(url, MAX_MESSAGE_BYTES);
  const waiting = new Map<number, (answer: Answer) => void>();
  socket.on("message", (data: Buffer) => {
    const answer = readAnswer(data);
    waiting.get(answer.id ?? 0)?.(answer);
  });
  const closed = new Promise<Closing>((resolve) => {
    socket.once("close", (code, reason) => resolve({ code, reason: toPlainText(reason.toString()) }));
  });
  await opened;
  let last = 0;
  return {
    closed,
    async command<Result>(method: string): Promise<Result> {
      last += 1;
      const id = last;
      const answer = Promise.withResolvers<Answer>();
      waiting.set(id, answer.resolve);
      const timer = setTimeout(() => {
        answer.resolve({ error: { message: `no answer within ${COMMAND_MS / 1000} s` } });
        socket.terminate();
      }, COMMAND_MS);
      try {
        socket.send(JSON.stringify({ id, method, params: {} }), () => {});
        const { result, error } = await Promise.race([answer.promise, closed.then(toLoss)]);
        if (error === undefined) return result as Result;
        const reason = toPlainText(String(error.message));
        throw new TunnelFailure("Unreachable", `The browser did not answer ${method}: ${reason}.`);
      } finally {
        clearTimeout(timer);
        waiting.delete(id);
      }
    },
    [Symbol.dispose]() {
      socket.close(1000);
      // Limits the wait for the server's close frame to a second.
      setTimeout(() => socket.terminate(), 1000).unref();
    },
  };
}

function toLoss({ code, reason }: Closing): Answer {
  return { error: { message: reason || `the connection closed with code ${code}` } };
}

function readAnswer(data: Buffer): Answer {
  try {
    return JSON.parse(data.toString()) as Answer;
  } catch {
    return {};
  }
}
