import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  request as newRequest,
  type RequestListener,
  type Server,
} from "node:http";
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Server as TcpServer,
  type Socket,
} from "node:net";
import { afterEach, beforeEach, expect, vi } from "vitest";
import type { ProxyEndpoint, EgressProxy } from "../../ports/egress.ts";

export const LOOPBACK: ProxyEndpoint = { host: "127.0.0.1" };
export const SILENT = { info() {}, warn() {}, error() {} };

type Listening<T> = { readonly server: T; readonly port: number } & AsyncDisposable;

async function listen<T extends Server | TcpServer>(server: T, host = "127.0.0.1"): Promise<Listening<T>> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("close", () => sockets.delete(socket));
  });
  server.listen(0, host);
  await once(server, "listening");
  return {
    server,
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A web site on loopback. */
export function openSite(
  answer: (...message: Parameters<RequestListener>) => unknown,
  host?: string,
): Promise<Listening<Server>> {
  return listen(
    createServer((request, response) => void answer(request, response)),
    host,
  );
}

export function openTcp(serve: (socket: Socket) => void, host?: string): Promise<Listening<TcpServer>> {
  return listen(createTcpServer({ allowHalfOpen: true }, serve), host);
}

export type Answer = {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
};

type Ask = {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
  readonly signal?: AbortSignal;
};

/** Where a client finds a way's proxy. */
export function toProxy(
  way: EgressProxy,
  doorway: ProxyEndpoint,
): { socketPath: string } | { host: string; port: number } {
  return "path" in doorway ? { socketPath: doorway.path } : { host: "127.0.0.1", port: way.port ?? 0 };
}

/** Asks a proxy for a URL as a browser does for http:// pages. */
export async function ask(proxy: ReturnType<typeof toProxy>, url: string, options: Ask = {}): Promise<Answer> {
  const { method = "GET", headers = {}, body, signal } = options;
  const asking = newRequest({
    ...proxy,
    method,
    path: url,
    headers: { host: URL.parse(url)?.host ?? "", ...headers },
    agent: false,
    ...(signal && { signal }),
  });
  asking.end(body);
  const [answer] = (await once(asking, "response")) as [IncomingMessage];
  const chunks = await answer.toArray();
  return { status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks as Buffer[]) };
}

/** Asks a proxy for a tunnel; the caller owns the socket. */
export async function tunnel(
  proxy: ReturnType<typeof toProxy>,
  authority: string,
): Promise<{ readonly status: number; readonly socket: Socket; readonly text: string }> {
  const asking = newRequest({
    ...proxy,
    method: "CONNECT",
    path: authority,
    headers: { host: authority },
    agent: false,
  });
  asking.end();
  const [answer, socket, head] = (await once(asking, "connect")) as [IncomingMessage, Socket, Buffer];
  socket.on("error", () => undefined);
  if (answer.statusCode === 200) {
    if (head.length > 0) socket.unshift(head);
    return { status: 200, socket, text: "" };
  }
  const rest = Buffer.concat([head, ...((await socket.toArray()) as Buffer[])]);
  return { status: answer.statusCode ?? 0, socket, text: rest.toString() };
}

/** Speaks HTTP through a tunnel. */
export async function askThrough(socket: Socket, path: string): Promise<string> {
  const asking = newRequest({
    path,
    headers: { host: "tunnelled", connection: "close" },
    createConnection: () => socket,
  });
  asking.end();
  const [answer] = (await once(asking, "response")) as [IncomingMessage];
  return Buffer.concat((await answer.toArray()) as Buffer[]).toString();
}

/** A SOCKS5 proxy (RFC 1928, 1929) that takes one user, or anybody, and resolves every name to loopback. */
export function openSocks(
  user?: { readonly username: string; readonly password: string },
  host?: string,
): Promise<Listening<TcpServer>> {
  return openTcp((client) => void serveSocks(client, user), host);
}

async function serveSocks(client: Socket, user: { username: string; password: string } | undefined): Promise<void> {
  const take = (): Promise<Buffer> => new Promise((resolve) => client.once("data", resolve));
  await take();
  client.write(Uint8Array.of(5, user === undefined ? 0 : 2));
  if (user !== undefined) {
    const given = await take();
    const nameLength = given[1] ?? 0;
    const username = given.subarray(2, 2 + nameLength).toString();
    const password = given.subarray(3 + nameLength).toString();
    const isUser = username === user.username && password === user.password;
    client.write(Uint8Array.of(1, isUser ? 0 : 1));
    if (!isUser) return void client.end();
  }
  const wanted = await take();
  const target = connect({ host: "127.0.0.1", port: wanted.readUInt16BE(wanted.length - 2) });
  target.on("error", () => client.end(Uint8Array.of(5, 5, 0, 1, 0, 0, 0, 0, 0, 0)));
  client.on("close", () => target.destroy());
  target.once("connect", () => {
    client.write(Uint8Array.of(5, 0, 0, 1, 0, 0, 0, 0, 0, 0));
    client.pipe(target).pipe(client);
  });
}

const HANDLES = new Set([
  "TCPSocketWrap",
  "TCPServerWrap",
  "PipeWrap",
  "PipeServerWrap",
  "PipeConnectWrap",
  "TCPConnectWrap",
]);

/** How many sockets and listeners this process holds. */
export function countHandles(): number {
  return process.getActiveResourcesInfo().filter((kind) => HANDLES.has(kind)).length;
}

/** Waits until no more sockets are held than before. */
export async function expectHandles(before: number): Promise<void> {
  await vi.waitFor(() => expect(countHandles()).toBe(before), { timeout: 2_000, interval: 5 });
}

/** Gives each test a stack for what it opens, and expects no handle to be left when that is disposed. */
export function expectNothingHeldAfterEach(give: (stack: AsyncDisposableStack) => void): void {
  let handles: number;
  let stack: AsyncDisposableStack;
  beforeEach(() => {
    handles = countHandles();
    stack = new AsyncDisposableStack();
    give(stack);
  });
  afterEach(async () => {
    await stack.disposeAsync();
    await expectHandles(handles);
  });
}
