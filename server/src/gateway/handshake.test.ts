import { once } from "node:events";
import type { Socket } from "node:net";
import { expect, test } from "vitest";
import { openFakeDevtools, openRawDevtools } from "../../test/support/gateway/fake-devtools.ts";
import {
  type CountedTarget,
  HOSTILE_101,
  PASSED_101,
  countedTarget,
  openGatewayRig,
  readRefusal,
  readToEnd,
  upgradeHead,
} from "../../test/support/gateway/gateway-rig.ts";

const UPGRADE = upgradeHead("/devtools/browser/known");

const UNEXPECTED: [string, (socket: Socket) => void][] = [
  ["refuses the upgrade", (socket) => socket.end("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")],
  ["closes the connection without a response", (socket) => socket.end()],
  ["doesn't speak HTTP", (socket) => socket.write("SSH-2.0-OpenSSH\r\n\r\n")],
  ["never finishes its response head", (socket) => socket.write(`HTTP/1.1 101 ${"x".repeat(20_000)}`)],
];

test.each(UNEXPECTED)("a browser that %s results in 502, and its connection is closed", async (_, answer) => {
  await using devtools = await openRawDevtools((socket) => void socket.once("data", () => answer(socket)));
  const target = countedTarget(devtools);
  await using rig = await openGatewayRig(target, { limits: { handshakeMs: 60_000 } });
  expect(await readRefusal(rig.send(UPGRADE))).toMatchObject({ status: 502, body: { name: "BadGateway" } });
  expect(target.joined).toBe(0);
  await expect.poll(() => [rig.gateway.clients, devtools.connections.size]).toEqual([0, 0]);
});

test("a browser that doesn't respond in time results in 502, and its connection is closed", async () => {
  await using devtools = await openRawDevtools((socket) => void socket.resume());
  await using rig = await openGatewayRig(countedTarget(devtools), { limits: { handshakeMs: 300 } });
  expect(await readRefusal(rig.send(UPGRADE))).toMatchObject({ status: 502, body: { name: "BadGateway" } });
  await expect.poll(() => [rig.gateway.clients, devtools.connections.size]).toEqual([0, 0]);
});

test("a browser that refuses the connection results in 502", async () => {
  await using rig = await openGatewayRig(countedTarget({ path: "/nowhere/devtools" }));
  expect(await readRefusal(rig.send(UPGRADE))).toMatchObject({ status: 502, body: { name: "BadGateway" } });
});

test("a browser that ends during the handshake results in the same 404 as an unknown browser", async () => {
  const browsers: Map<string, CountedTarget>[] = [];
  await using devtools = await openRawDevtools((socket) => {
    browsers[0]?.delete("known");
    socket.destroy();
  });
  await using rig = await openGatewayRig(countedTarget(devtools));
  browsers.push(rig.browsers);
  expect(await readRefusal(rig.send(UPGRADE))).toMatchObject({ status: 404, body: { name: "BrowserNotFound" } });
});

test.each(["maxClients", "maxAll"])("clients above a limit are refused with 503: %s", async (limit) => {
  await using devtools = await openRawDevtools(() => {});
  await using rig = await openGatewayRig(countedTarget(devtools), { limits: { [limit]: 1, handshakeMs: 500 } });
  const both = [readRefusal(rig.send(UPGRADE)), readRefusal(rig.send(UPGRADE))];
  const { status, head } = await Promise.race(both);
  expect([status, head]).toEqual([503, expect.stringContaining("Retry-After: 1")]);
  await Promise.all(both);
});

test("disposing ends handshakes in progress", async () => {
  const { promise: arrived, resolve } = Promise.withResolvers<Socket>();
  await using devtools = await openRawDevtools(resolve);
  await using rig = await openGatewayRig(countedTarget(devtools));
  const answer = readRefusal(rig.send(UPGRADE));
  await arrived;
  await rig.gateway[Symbol.asyncDispose]();
  expect((await answer).status).toBe(503);
});

test("a client that leaves during the handshake never counts as joined, and the connection to the browser is closed", async () => {
  const { promise: arrived, resolve } = Promise.withResolvers<Socket>();
  await using devtools = await openRawDevtools(resolve);
  const target = countedTarget(devtools);
  await using rig = await openGatewayRig(target);
  const client = rig.send(UPGRADE);
  const socket = await arrived;
  client.destroy();
  await once(socket.resume(), "close");
  await expect.poll(() => rig.gateway.clients).toBe(0);
  expect(target.joined).toBe(0);
});

test("a client that leaves while the gateway is connecting to the browser aborts the connection attempt", async () => {
  const { promise: began, resolve: begin } = Promise.withResolvers<AbortSignal>();
  await using rig = await openGatewayRig({
    ...countedTarget({ path: "/nowhere" }),
    connect(signal) {
      begin(signal);
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    },
  });
  const client = rig.send(UPGRADE);
  const signal = await began;
  client.destroy();
  await once(signal, "abort");
  await expect.poll(() => rig.gateway.clients).toBe(0);
});

test("data that a client sends before its 101 reaches the browser after the upgrade, in order", async () => {
  await using devtools = await openFakeDevtools(() => {});
  await using rig = await openGatewayRig(countedTarget(devtools));
  const ping = (text: string): Buffer => Buffer.from([0x89, 0x80 | text.length, 0, 0, 0, 0, ...Buffer.from(text)]);
  const client = rig.send(UPGRADE);
  client.write(ping("first"));
  client.write(ping("second"));
  let answers = "";
  client.on("data", (chunk: Buffer) => (answers += chunk.toString("latin1")));
  while (!answers.includes("second")) await once(client, "data");
  expect(answers).toContain("\r\n\r\n\x8a\x05first\x8a\x06second");
  client.destroy();
});

test("bytes over the limit that arrive before the 101 stay in the kernel and aren't lost", async () => {
  const early = Buffer.alloc(300_000, "early");
  const { promise: arrived, resolve } = Promise.withResolvers<Socket>();
  await using devtools = await openRawDevtools(resolve);
  await using rig = await openGatewayRig(countedTarget(devtools), { limits: { maxEarlyBytes: 1000 } });
  const client = rig.send(UPGRADE);
  client.write(early);
  const browser = await arrived;
  await once(browser, "data");
  browser.write("HTTP/1.1 101 Switching Protocols\r\n\r\n");
  const chunks: Buffer[] = [];
  browser.on("data", (chunk: Buffer) => chunks.push(chunk));
  await expect.poll(() => Buffer.concat(chunks).length).toBe(early.length);
  expect(Buffer.concat(chunks).equals(early)).toBe(true);
  client.destroy();
});

test("a message that immediately follows the browser's response head isn't lost", async () => {
  await using devtools = await openRawDevtools((socket) => {
    socket.once("data", () => {
      socket.write("HTTP/1.1 101 Switching");
      setImmediate(() => socket.end(" Protocols\r\nUpgrade: websocket\r\n\r\n\x88\x02\x03\xe8", "latin1"));
    });
  });
  await using rig = await openGatewayRig(countedTarget(devtools));
  const all = (await readToEnd(rig.send(UPGRADE))).toString("latin1");
  expect(all).toBe(
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n\x88\x02\x03\xe8",
  );
});

test("from the browser's 101 response, the client receives only the WebSocket headers", async () => {
  await using devtools = await openRawDevtools((socket) => {
    socket.once("data", () => socket.end(HOSTILE_101, "latin1"));
  });
  await using rig = await openGatewayRig(countedTarget(devtools));
  expect((await readToEnd(rig.send(UPGRADE))).toString("latin1")).toBe(PASSED_101);
});
