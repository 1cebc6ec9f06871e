import { once } from "node:events";
import { type ClientOptions, WebSocket } from "ws";

/** A minimal DevTools client: JSON over a WebSocket. */
export type DevtoolsClient = AsyncDisposable & {
  readonly socket: WebSocket;
  /** Sends a command. Resolves with its result; rejects if the command fails or the connection ends first. */
  command(method: string, params?: object, sessionId?: string): Promise<Record<string, unknown>>;
  /** Resolves with the close code and reason when the connection ends. */
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
};

type Message = { readonly id?: number; readonly result?: Record<string, unknown>; readonly error?: unknown };
type Waiting = { resolve(result: Record<string, unknown>): void; reject(error: Error): void };

export async function connectDevtools(address: string, options: ClientOptions = {}): Promise<DevtoolsClient> {
  const socket = new WebSocket(address, { maxPayload: 512 * 2 ** 20, ...options });
  const waiting = new Map<number, Waiting>();
  let last = 0;
  socket.on("message", (data: Buffer) => {
    const { id = 0, result = {}, error } = JSON.parse(data.toString()) as Message;
    const waiter = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) waiter?.resolve(result);
    else waiter?.reject(new Error(JSON.stringify(error)));
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.once("close", (code, reason) => resolve({ code, reason: String(reason) }));
  });
  void closed.then(({ code }) => {
    for (const waiter of waiting.values()) waiter.reject(new Error(`The connection closed with code ${code}.`));
  });
  await once(socket, "open");
  // From here on, a "close" event follows every error.
  socket.on("error", () => {});
  return {
    socket,
    closed,
    command(method, params = {}, sessionId) {
      const { promise, resolve, reject } = Promise.withResolvers<Record<string, unknown>>();
      waiting.set(++last, { resolve, reject });
      socket.send(JSON.stringify({ id: last, method, params, sessionId }));
      return promise;
    },
    async [Symbol.asyncDispose]() {
      socket.close(1000);
      await closed;
    },
  };
}

/** Evaluates an expression in a page. */
export type Evaluate = (expression: string) => Promise<unknown>;

export type AttachedPage = { readonly command: DevtoolsClient["command"]; readonly evaluate: Evaluate };

/** Returns the browser's open pages. */
export async function pagesOf(client: DevtoolsClient): Promise<{ targetId: string; url: string }[]> {
  const { targetInfos } = await client.command("Target.getTargets");
  return (targetInfos as { type: string; targetId: string; url: string }[]).filter(({ type }) => type === "page");
}

/** @param evaluation Additional parameters for evaluations. */
export async function attachToPage(
  client: DevtoolsClient,
  targetId: unknown,
  evaluation: { readonly userGesture?: boolean } = {},
): Promise<AttachedPage> {
  const { sessionId } = await client.command("Target.attachToTarget", { targetId, flatten: true });
  const command: AttachedPage["command"] = (method, params) => client.command(method, params, String(sessionId));
  return {
    command,
    async evaluate(expression) {
      const params = { expression, awaitPromise: true, returnByValue: true, ...evaluation };
      const { result } = await command("Runtime.evaluate", params);
      return (result as { value?: unknown }).value;
    },
  };
}

/** Opens a page, waits until it has loaded, and evaluates an expression in it. */
export async function openPage(client: DevtoolsClient, url: string): Promise<Evaluate> {
  const { targetId } = await client.command("Target.createTarget", { url: "about:blank" });
  const { command, evaluate } = await attachToPage(client, targetId);
  // The response arrives after the new document has replaced the blank document.
  await command("Page.navigate", { url });
  await evaluate("document.readyState === 'complete' || new Promise((loaded) => addEventListener('load', loaded))");
  return evaluate;
}

/** Opens a WebSocket that the server refuses. @returns The status, the error's name and the request id. */
export async function readRefusal(
  address: string,
  options: ClientOptions = {},
): Promise<{ status: number; name: unknown; requestId: string | undefined }> {
  const socket = new WebSocket(address, options);
  socket.on("error", () => {});
  const [, answer] = (await once(socket, "unexpected-response")) as [
    unknown,
    AsyncIterable<Buffer> & { statusCode: number; headers: Record<string, string | undefined> },
  ];
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  const { name } = JSON.parse(Buffer.concat(chunks).toString()) as { name: unknown };
  return { status: answer.statusCode, name, requestId: answer.headers["x-request-id"] };
}
