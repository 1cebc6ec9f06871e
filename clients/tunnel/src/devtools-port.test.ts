import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { get } from "node:http";
import { text } from "node:stream/consumers";
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from "node:http";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type ClientOptions, WebSocket } from "ws";
import { type FakeService, TARGET, VERSION, openFakeService } from "../test/fake-service.ts";
import { expectSoon } from "../test/expect-soon.ts";
import { type Tunnel, openTunnel } from "./open-tunnel.ts";

let service: FakeService;
let tunnel: Tunnel;

beforeEach(async () => {
  service = await openFakeService();
  tunnel = await openTunnel({ address: service.address, port: 0 });
});

afterEach(async () => {
  await tunnel[Symbol.asyncDispose]();
  await expectSoon(() => service.connections.size, 0);
  await service[Symbol.asyncDispose]();
});

type Answer = { readonly status: number | undefined; readonly headers: IncomingHttpHeaders; readonly body: string };

async function ask(path: string, headers: OutgoingHttpHeaders = {}, method = "GET"): Promise<Answer> {
  const request = get({ host: "127.0.0.1", port: tunnel.port, path, headers, method, agent: false });
  const [answer] = (await once(request, "response")) as [IncomingMessage];
  return { status: answer.statusCode, headers: answer.headers, body: await text(answer) };
}

async function socketUrl(): Promise<string> {
  const { webSocketDebuggerUrl } = JSON.parse((await ask("/json/version")).body) as { webSocketDebuggerUrl: string };
  return webSocketDebuggerUrl;
}

async function join(protocols: string[] = [], options: ClientOptions = {}): Promise<WebSocket> {
  const socket = new WebSocket(await socketUrl(), protocols, options);
  await once(socket, "open");
  return socket;
}

async function exchange(socket: WebSocket, data: string | Buffer): Promise<string | Buffer> {
  socket.send(data);
  const [echoed, isBinary] = (await once(socket, "message")) as [Buffer, boolean];
  return isBinary ? echoed : echoed.toString();
}

async function refusal(
  url: string,
  options: ClientOptions = {},
): Promise<{ status: number | undefined; body: string }> {
  const socket = new WebSocket(url, options).on("error", () => {});
  const [, answer] = (await once(socket, "unexpected-response")) as [unknown, IncomingMessage];
  return { status: answer.statusCode, body: await text(answer) };
}

test("/json/version has the members of a Chromium with a debugging port", async () => {
  const { status, headers, body } = await ask("/json/version");
  expect(status).toBe(200);
  expect(headers["content-type"]).toBe("application/json; charset=UTF-8");
  expect(JSON.parse(body)).toEqual({
    Browser: VERSION.product,
    "File-Path-Style": "posix",
    "Protocol-Version": "1.3",
    "User-Agent": VERSION.userAgent,
    "V8-Version": "15.6.75.27",
    "WebKit-Version": `537.36 (${VERSION.revision})`,
    webSocketDebuggerUrl: expect.stringMatching(
      new RegExp(`^ws://127\\.0\\.0\\.1:${tunnel.port}/devtools/browser/[\\da-f-]{36}$`),
    ),
  });
});

test.each(["/json/version", "/json/version/", "/json/version?t=1"])("%s exists", async (path) => {
  expect(await ask(path)).toMatchObject({ status: 200, body: expect.stringContaining(VERSION.product) });
});

test("the WebSocket URL contains the host that the client used", async () => {
  const { body } = await ask("/json/version", { Host: "localhost:4444" });
  expect(body).toContain('"ws://localhost:4444/devtools/browser/');
});

test.each(["/json", "/json/list", "/json/list/"])("%s lists the targets", async (path) => {
  const { targetId: id, type, title, url } = TARGET;
  expect(JSON.parse((await ask(path)).body)).toEqual([{ description: "", id, type, title, url }]);
});

test("responses don't contain the browser's secret key, which remains valid after the tunnel closes", async () => {
  const answers = await Promise.all(["/json/version", "/json/list", "/"].map((path) => ask(path)));
  const id = service.address.slice(service.address.lastIndexOf("/") + 1);
  expect(JSON.stringify(answers)).not.toContain(id);
});

test("other paths and methods are rejected, and the response lists the supported paths", async () => {
  expect(await ask("/json/new")).toMatchObject({ status: 404, body: expect.stringContaining("/json/version") });
  expect(await ask("/json/version", {}, "POST")).toMatchObject({ status: 405 });
});

test.each<[string, OutgoingHttpHeaders]>([
  ["with another host name", { Host: "evil.example" }],
  ["from a page", { Origin: "https://evil.example" }],
  ["from a page without an Origin header", { "Sec-Fetch-Site": "cross-site" }],
])("a request %s is rejected", async (_, headers) => {
  expect(await ask("/json/version", headers)).toMatchObject({
    status: 403,
    body: expect.not.stringContaining("ws://"),
  });
});

test.each<[string, ClientOptions]>([
  ["with another host name", { headers: { Host: "evil.example" } }],
  ["from a page", { origin: "https://evil.example" }],
  ["from a page served by the port itself", { origin: "http://127.0.0.1:9222" }],
])("a WebSocket %s is rejected without contacting the server", async (_, options) => {
  const before = service.handshakes.length;
  expect(await refusal(await socketUrl(), options)).toMatchObject({ status: 403 });
  expect(service.handshakes).toHaveLength(before);
});

test("a WebSocket with an unknown id is rejected, and the response names /json/version", async () => {
  const stale = `ws://127.0.0.1:${tunnel.port}/devtools/browser/gone`;
  expect(await refusal(stale)).toMatchObject({ status: 404, body: expect.stringContaining("/json/version") });
});

test("text and bytes of any length are forwarded unchanged in both directions", async () => {
  const socket = await join();
  expect(await exchange(socket, "größer € 🦊")).toBe("größer € 🦊");
  const bytes = randomBytes(20 * 1024 * 1024);
  expect(Buffer.compare((await exchange(socket, bytes)) as Buffer, bytes)).toBe(0);
  socket.terminate();
});

test("several clients connect at the same time without affecting each other", async () => {
  const sockets = await Promise.all(Array.from({ length: 20 }, () => join()));
  const echoed = await Promise.all(sockets.map((socket, at) => exchange(socket, `message ${at}`)));
  expect(echoed).toEqual(sockets.map((_, at) => `message ${at}`));
  const [first, second] = sockets;
  first?.terminate();
  // 19 clients' connections and the tunnel's own connection.
  await expectSoon(() => service.connections.size, 20);
  expect(second && (await exchange(second, "still here"))).toBe("still here");
  const again = await join();
  expect(await exchange(again, "back")).toBe("back");
});

test("close frames are forwarded with their code and reason in both directions", async () => {
  const socket = await join();
  socket.close(4001, "enough");
  expect(await closing(socket)).toEqual([4001, "enough"]);
  const other = await join();
  const last = [...service.connections].at(-1);
  last?.close(4002, "over");
  expect(await closing(other)).toEqual([4002, "over"]);
});

async function closing(socket: WebSocket): Promise<[number, string]> {
  const [code, reason] = (await once(socket, "close")) as [number, Buffer];
  return [code, reason.toString()];
}

test("if a client disconnects without a close frame, the server's connection closes", async () => {
  const socket = await join();
  await expectSoon(() => service.connections.size, 2);
  socket.terminate();
  await expectSoon(() => service.connections.size, 1);
});

test("disposing closes connections that the server hasn't accepted", async () => {
  const url = await socketUrl();
  service.fallSilent();
  const before = service.handshakes.length;
  const client = new WebSocket(url).on("error", () => {});
  await expectSoon(() => service.handshakes.length, before + 1);
  expect(service.streams.size).toBe(2);
  await tunnel[Symbol.asyncDispose]();
  // The tunnel's own connection sends a close frame, which a silent server doesn't read.
  await expectSoon(() => service.streams.size, 1);
  client.terminate();
  service.cut();
});

test("the Host header of a forwarded handshake names the server", async () => {
  const socket = await join(["some.protocol"], { headers: { "User-Agent": "tester" } });
  const { headers } = service.handshakes.at(-1) ?? {};
  expect(headers).toMatchObject({
    host: `localhost:${service.port}`,
    "user-agent": "tester",
    "sec-websocket-protocol": "some.protocol",
  });
  socket.terminate();
});

test("a server's rejection is forwarded to the client", async () => {
  const url = await socketUrl();
  service.end();
  expect(await refusal(url)).toEqual({ status: 404, body: expect.stringContaining("BrowserNotFound") });
});

test("if the server is unreachable, a WebSocket fails with 502 and the reason", async () => {
  const url = await socketUrl();
  await service[Symbol.asyncDispose]();
  expect(await refusal(url)).toEqual({ status: 502, body: expect.stringContaining("Nothing listens on localhost") });
  service = await openFakeService();
});

test("a slow receiver slows down the sender, in both directions", async () => {
  const socket = await join();
  const server = [...service.connections].at(-1);
  if (server === undefined) throw new Error("Nothing is connected.");
  const [chunk, count] = [Buffer.alloc(1024 * 1024), 64];
  for (const [from, to] of [
    [server, socket],
    [socket, server],
  ] as const) {
    to.pause();
    for (let sent = 0; sent < count; sent += 1) from.send(chunk, () => {});
    // Kernel buffers in both directions and the tunnel's small buffer hold some of the data; the sender still has the
    // rest.
    const waiting = await settled(() => from.bufferedAmount);
    expect(waiting).toBeGreaterThan((count - 30) * chunk.length);
    to.resume();
    await expectSoon(() => from.bufferedAmount, 0);
  }
  socket.terminate();
});

/** Waits until a value no longer changes, and returns it. */
async function settled(read: () => number): Promise<number> {
  let last = -1;
  for (;;) {
    const reading = read();
    if (reading === last) return reading;
    last = reading;
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}
