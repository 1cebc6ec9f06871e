import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  request as newRequest,
  type RequestListener,
  type Server,
} from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer, type Socket } from "node:net";
import { afterEach, beforeEach, expect, vi } from "vitest";
import { type AddressRange, readAddressRange } from "../../../src/domain/network/address-range.ts";
import { type EgressRules, NO_RULES } from "../../../src/domain/network/egress-rules.ts";
import type { UpstreamProxy } from "../../../src/domain/network/upstream-proxy.ts";
import type { EgressProxy } from "../../../src/ports/egress.ts";
import { newEgress, type EgressOptions } from "../../../src/adapters/egress-proxy/egress.ts";

const SILENT = { error() {} };

/** Maximum size of a request or response head, in bytes; larger than the proxy's limit. */
const MAX_HEAD = 2 ** 23;

type Listening<T> = { readonly server: T; readonly port: number } & AsyncDisposable;

async function listen<T extends Server | TcpServer>(server: T, host = "127.0.0.1", port = 0): Promise<Listening<T>> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("close", () => sockets.delete(socket));
  });
  server.listen(port, host);
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

/** Opens a web site on loopback. */
export function openSite(
  answer: (...message: Parameters<RequestListener>) => unknown,
  host?: string,
  port?: number,
): Promise<Listening<Server>> {
  return listen(
    createServer({ maxHeaderSize: MAX_HEAD }, (request, response) => void answer(request, response)),
    host,
    port,
  );
}

export function openTcp(serve: (socket: Socket) => void, host?: string): Promise<Listening<TcpServer>> {
  return listen(createTcpServer({ allowHalfOpen: true }, serve), host);
}

type Answer = {
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

/** The address of a proxy. With a Unix socket, the port is 0. */
type Endpoint = { readonly host: string; readonly port: number; readonly socketPath?: string };

type Options = Partial<EgressOptions> & {
  readonly upstream?: UpstreamProxy | "nowhere" | undefined;
  /** The path of a Unix socket to listen on. Default: a free port. */
  readonly path?: string;
};

/** Allows only public addresses. */
export const PUBLIC_RULES: EgressRules = { ...NO_RULES, policy: "public" };

/** Parses address ranges such as `10.0.0.0/8`. */
export function readRanges(...texts: readonly string[]): AddressRange[] {
  return texts.flatMap((text) => {
    const range = readAddressRange(text);
    return range === undefined ? [] : [range];
  });
}

/** Opens a proxy and a listener for it; the stack closes both. By default, all addresses are allowed. */
export async function openEgress(
  stack: AsyncDisposableStack,
  { upstream, path, ...options }: Options = {},
): Promise<{ proxy: EgressProxy; endpoint: Endpoint }> {
  const proxy = stack.use(newEgress({ rules: NO_RULES, log: SILENT, ...options }).startProxy(upstream));
  // Without `allowHalfOpen`, because the proxy must work with any listener options.
  const server = createTcpServer((socket) => proxy.accept(socket));
  server.listen(path === undefined ? { host: "127.0.0.1", port: 0 } : { path });
  await once(server, "listening");
  stack.defer(() => void server.close());
  const host = "127.0.0.1";
  if (path !== undefined) return { proxy, endpoint: { host, port: 0, socketPath: path } };
  return { proxy, endpoint: { host, port: (server.address() as AddressInfo).port } };
}

/** Requests a URL through a proxy, as browsers do for http:// pages. */
export async function ask(endpoint: Endpoint, url: string, options: Ask = {}): Promise<Answer> {
  const { method = "GET", headers = {}, body, signal } = options;
  const request = newRequest({
    ...endpoint,
    method,
    path: url,
    headers: { host: URL.parse(url)?.host ?? "", ...headers },
    agent: false,
    maxHeaderSize: MAX_HEAD,
    ...(signal && { signal }),
  });
  request.maxHeadersCount = 0;
  // The proxy may drop the connection after responding.
  request.on("error", () => undefined);
  request.end(body);
  const [answer] = (await once(request, "response")) as [IncomingMessage];
  const chunks = await answer.toArray();
  return { status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks as Buffer[]) };
}

/** Requests a tunnel from a proxy. The caller owns the socket. */
export async function tunnel(
  endpoint: Endpoint,
  authority: string,
): Promise<{ readonly status: number; readonly socket: Socket; readonly text: string }> {
  const request = newRequest({
    ...endpoint,
    method: "CONNECT",
    path: authority,
    headers: { host: authority },
    agent: false,
  });
  request.end();
  const [answer, socket, head] = (await once(request, "connect")) as [IncomingMessage, Socket, Buffer];
  socket.on("error", () => undefined);
  if (answer.statusCode === 200) {
    if (head.length > 0) socket.unshift(head);
    return { status: 200, socket, text: "" };
  }
  const rest = Buffer.concat([head, ...((await socket.toArray()) as Buffer[])]);
  return { status: answer.statusCode ?? 0, socket, text: rest.toString() };
}

/** Sends an HTTP request through a tunnel. */
export async function askThrough(socket: Socket, path: string): Promise<string> {
  const request = newRequest({
    path,
    headers: { host: "tunnelled", connection: "close" },
    createConnection: () => socket,
  });
  request.end();
  const [answer] = (await once(request, "response")) as [IncomingMessage];
  return Buffer.concat((await answer.toArray()) as Buffer[]).toString();
}

const HANDLES = new Set([
  "TCPSocketWrap",
  "TCPServerWrap",
  "PipeWrap",
  "PipeServerWrap",
  "PipeConnectWrap",
  "TCPConnectWrap",
]);

/** Returns the number of this process's sockets and listeners. */
export function countHandles(): number {
  return process.getActiveResourcesInfo().filter((kind) => HANDLES.has(kind)).length;
}

/** Waits until this process has as many sockets and listeners as before. */
export async function expectHandles(before: number): Promise<void> {
  await vi.waitFor(() => expect(countHandles()).toBe(before), { timeout: 2_000, interval: 5 });
}

/** Passes each test a stack for its resources, and asserts that disposing of the stack releases all handles. */
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
