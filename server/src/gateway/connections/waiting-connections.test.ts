import { once } from "node:events";
import { type IncomingMessage, type RequestListener, type Server, createServer, request } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, type Socket, connect } from "node:net";
import { connect as connectTls } from "node:tls";
import { afterEach, beforeEach, expect, test } from "vitest";
import { CERTIFICATE, KEY } from "../../../../clients/tunnel/test/certificate.fixtures.ts";
import { until } from "../../../test/support/until.ts";
import { type ConnectionLimits, limitConnections } from "./waiting-connections.ts";

/** More bytes than the kernel buffers for a client that doesn't read. */
const LARGE = 64 * 2 ** 20;

const toCaller = ({ headers, socket }: IncomingMessage): string => String(headers["x-caller"] ?? socket.remoteAddress);

const LIMITS: ConnectionLimits = { total: 10, waitingPerCaller: 6, toPeer: (address) => address, toCaller };

const PROXY = "127.0.0.1";

let server: Server;
let sockets: Socket[];

beforeEach(() => {
  sockets = [];
});

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  server.closeAllConnections();
  server.close();
  await once(server, "close");
});

const answer: RequestListener = (incoming, response) => {
  if (incoming.url === "/slow") response.write("begun");
  else if (incoming.url === "/large") response.end(Buffer.alloc(LARGE));
  else if (incoming.method === "POST") incoming.resume().on("end", () => response.write("begun"));
  else response.end("answered");
};

async function listen(limits: Partial<ConnectionLimits> = {}, onServer = createServer(answer)): Promise<void> {
  server = onServer;
  server.on("upgrade", (_request, socket) => {
    socket.resume().on("end", () => socket.destroy());
    socket.write("HTTP/1.1 101 Switching Protocols\r\n\r\n");
  });
  const follow = limitConnections(server, { ...LIMITS, ...limits });
  server.prependListener("request", follow);
  server.listen(0, "0.0.0.0");
  await once(server, "listening");
}

/** Opens connections from one of this machine's addresses, and sends `text` on each of them. */
async function open(count: number, from: string, text = "", isReading = true): Promise<Socket[]> {
  const { port } = server.address() as AddressInfo;
  const opened = Array.from({ length: count }, () => connect({ port, host: "127.0.0.1", localAddress: from }));
  for (const socket of opened) socket.on("error", () => {})[isReading ? "resume" : "pause"]();
  sockets.push(...opened);
  await Promise.all(opened.map((socket) => once(socket, "connect")));
  for (const socket of opened) socket.write(text);
  return opened;
}

function countOpen(all: readonly Socket[]): number {
  return all.filter((socket) => !socket.closed).length;
}

function countConnections(): Promise<number> {
  return new Promise((resolve) => server.getConnections((_error, count) => resolve(count)));
}

async function ask(): Promise<number> {
  const { port } = server.address() as AddressInfo;
  const asking = request({ port, host: "127.0.0.1", localAddress: "127.0.0.9", agent: false });
  asking.end();
  const [response] = (await once(asking, "response")) as [{ statusCode: number; resume(): void }];
  response.resume();
  return response.statusCode;
}

test("waiting connections from an address are limited, and the oldest are closed first", async () => {
  await listen();
  const [first] = await open(1, "127.0.0.1");
  const idle = await open(50, "127.0.0.1");
  await until(
    () => countOpen(idle),
    (count) => count === LIMITS.waitingPerCaller,
  );
  expect(first?.closed).toBe(true);
  expect(await ask()).toBe(200);
});

test("connections from many addresses leave room for requests", async () => {
  await listen();
  const idle = await Promise.all(["127.0.0.1", "127.0.0.2", "127.0.0.3"].map((from) => open(6, from)));
  expect(await ask()).toBe(200);
  await until(
    () => countOpen(idle.flat()),
    (count) => count <= LIMITS.total,
  );
});

test("a reverse proxy can exceed the limit per address", async () => {
  await listen({ toPeer: (address) => (address === PROXY ? undefined : address) });
  const idle = await open(9, PROXY);
  expect(await ask()).toBe(200);
  expect(countOpen(idle)).toBe(9);
});

test.each([
  ["unread answers", `GET /large HTTP/1.1\r\nHost: x\r\nX-Caller: a\r\n\r\n`],
  ["slow bodies", "POST / HTTP/1.1\r\nHost: x\r\nX-Caller: a\r\nContent-Length: 9\r\n\r\nbody="],
])("a caller's %s don't affect other callers behind the same reverse proxy", async (_, text) => {
  await listen({ total: 50, toPeer: () => undefined });
  const other = await open(1, PROXY, text.replace("X-Caller: a", "X-Caller: b"), false);
  const own = await open(9, PROXY, text, false);
  await until(
    () => countConnections(),
    (count) => count === 1 + LIMITS.waitingPerCaller,
  );
  for (const socket of [...other, ...own]) socket.resume();
  await until(
    () => countOpen(own),
    (count) => count <= LIMITS.waitingPerCaller,
  );
  expect(countOpen(other)).toBe(1);
});

test.each([
  ["send the rest of a body of declared length", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nbody="],
  ["send the rest of a chunked body", "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nbody=\r\n"],
  ["read an answer", "GET /large HTTP/1.1\r\nHost: x\r\n\r\n"],
])("connections that wait for their clients to %s leave room for requests", async (_, text) => {
  await listen();
  let requests = 0;
  server.on("request", () => (requests += 1));
  for (let at = 0; at < LIMITS.total; at += 1) await open(1, `127.0.0.${1 + (at % 3)}`, text, false);
  await until(
    () => requests,
    (count) => count === LIMITS.total,
  );
  expect(await ask()).toBe(200);
});

test("WebSockets and requests in progress stay open", async () => {
  await listen();
  const busy = await open(2, "127.0.0.1", "GET /slow HTTP/1.1\r\nHost: x\r\n\r\n");
  busy.push(...(await open(2, "127.0.0.1", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbody")));
  const upgrade = "GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n";
  busy.push(...(await open(4, "127.0.0.1", upgrade)));
  await Promise.all(busy.map((socket) => until(() => socket.bytesRead, Boolean)));
  await open(50, "127.0.0.1");
  expect(await ask()).toBe(200);
  expect(countOpen(busy)).toBe(8);
});

test("a connection whose request body has arrived but is unread stays open", async () => {
  await listen(
    {},
    createServer(() => {}),
  );
  let requests = 0;
  server.on("request", () => (requests += 1));
  const whole = await open(3, "127.0.0.1", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbody");
  const begun = await open(3, "127.0.0.1", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nbody");
  await until(
    () => requests,
    (count) => count === 6,
  );
  const idle = await open(50, "127.0.0.1");
  await until(
    () => countOpen(idle),
    (count) => count === 0,
  );
  expect(countOpen([...whole, ...begun])).toBe(6);
});

test("a connection counts as waiting again after its request is answered", async () => {
  await listen();
  const [kept] = await open(1, "127.0.0.1", "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  await until(() => kept?.bytesRead, Boolean);
  await open(50, "127.0.0.1");
  expect(await until(() => kept?.closed, Boolean)).toBe(true);
});

test("WebSockets over TLS stay open", async () => {
  await listen({ waitingPerCaller: 2 }, createTlsServer({ cert: CERTIFICATE, key: KEY }, answer));
  const { port } = server.address() as AddressInfo;
  const openSecure = async (): Promise<Socket> => {
    const socket = connectTls({ port, host: "127.0.0.1", ca: CERTIFICATE }).on("error", () => {});
    sockets.push(socket);
    await once(socket, "secureConnect");
    return socket.resume();
  };
  const upgrade = "GET /devtools/browser/k HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n";
  const client = await openSecure();
  client.write(upgrade);
  await once(client, "data");
  const idle: Socket[] = [];
  for (let index = 0; index < 5; index += 1) idle.push(await openSecure());
  await until(
    () => countOpen(idle),
    (count) => count === 2,
  );
  expect(client.closed).toBe(false);
});
