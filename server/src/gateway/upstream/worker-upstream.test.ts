import { once } from "node:events";
import type { Socket } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { WebSocket } from "ws";
import { CERTIFICATE } from "../../../../clients/tunnel/test/certificate.fixtures.ts";
import {
  HOSTILE_101,
  openGatewayRig,
  PASSED_101,
  readToEnd,
  upgradeHead,
} from "../../../test/support/gateway/gateway-rig.ts";
import { BROWSER_PATH, DESKTOP_PATH, openRelayRig, type RelayRig } from "../../../test/support/gateway/relay-rig.ts";
import { AUTHENTICATED, openScriptedDesktop } from "../../../test/support/gateway/scripted-screen.ts";
import { openTcpRelay } from "../../../test/support/proxies/tcp-relay.ts";
import { openTlsProxy } from "../../../test/support/proxies/tls-proxy.ts";

const ACCEPTED = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n";

let rig: RelayRig;

beforeEach(async () => {
  rig = await openRelayRig();
});

afterEach(() => rig[Symbol.asyncDispose]());

async function closing(client: WebSocket): Promise<[number, string]> {
  const [code, reason] = (await once(client, "close")) as [number, Buffer];
  return [code, String(reason)];
}

test("messages of any size arrive complete and in order, in both directions, whether or not they are fragmented", async () => {
  const client = await rig.front.openClient(BROWSER_PATH);
  const sizes = [0, 125, 126, 65_536, 16 * 1024 * 1024, 5];
  const echoed: Buffer[] = [];
  client.on("message", (data: Buffer) => echoed.push(data));
  const all = sizes.map((size, at) => Buffer.alloc(size, at + 1));
  for (const message of all) client.send(message);
  for (const fin of [false, false, true]) client.send(Buffer.alloc(70_000, 9), { fin });
  await expect.poll(() => echoed.length).toBe(all.length + 1);
  expect(Buffer.concat(echoed).equals(Buffer.concat([...all, Buffer.alloc(210_000, 9)]))).toBe(true);
  client.close();
  await rig.target.left(1);
});

test("data that a client sends before its 101 isn't lost", async () => {
  const ping = Buffer.from([0x89, 0x85, 0, 0, 0, 0, ...Buffer.from("early")]);
  const client = rig.front.send(upgradeHead(BROWSER_PATH));
  client.write(ping);
  let answers = "";
  client.on("data", (chunk: Buffer) => (answers += chunk.toString("latin1")));
  await expect.poll(() => answers).toContain("\r\n\r\n\x8a\x05early");
  client.destroy();
});

test("a message that immediately follows the worker's response head isn't lost", async () => {
  await using _raw = await rig.openRawWorker((socket) => {
    socket.once("data", () => socket.end(`${ACCEPTED}\x88\x02\x03\xe8`, "latin1"));
  });
  const all = (await readToEnd(rig.front.send(upgradeHead(BROWSER_PATH)))).toString("latin1");
  expect(all).toBe(`${ACCEPTED}\x88\x02\x03\xe8`);
});

test("the client receives only the WebSocket headers of the worker's 101", async () => {
  await using _raw = await rig.openRawWorker((socket) => {
    socket.once("data", () => socket.end(HOSTILE_101, "latin1"));
  });
  expect((await readToEnd(rig.front.send(upgradeHead(BROWSER_PATH)))).toString("latin1")).toBe(PASSED_101);
});

test("a client's close code reaches the browser", async () => {
  const client = await rig.front.openClient(BROWSER_PATH);
  const closed = closing(rig.browserSides[0] as WebSocket);
  client.close(4001, "mine");
  expect(await closed).toEqual([4001, "mine"]);
  expect(await closing(client)).toEqual([4001, "mine"]);
});

test("the browser's own close code reaches the client", async () => {
  const client = await rig.front.openClient(BROWSER_PATH);
  const closed = closing(client);
  rig.browserSides[0]?.close(4002, "its own");
  expect(await closed).toEqual([4002, "its own"]);
});

test("the client receives a close code and reason when the browser ends", async () => {
  const client = await rig.front.openClient(BROWSER_PATH);
  await expect.poll(() => rig.target.clients.size).toBe(1);
  const closed = closing(client);
  rig.target.end(1000, "browser closed: inactive");
  expect(await closed).toEqual([1000, "browser closed: inactive"]);
});

test("when a worker stops, the client receives 1001", async () => {
  const client = await rig.front.openClient(BROWSER_PATH);
  await expect.poll(() => rig.target.clients.size).toBe(1);
  const closed = closing(client);
  await rig.worker.gateway[Symbol.asyncDispose]();
  expect(await closed).toEqual([1001, "browser closed: shutdown"]);
});

test("when the worker is lost, the client immediately receives 1011", async () => {
  await using network = await openTcpRelay(rig.workerUrl);
  rig.workerUrl = network.url;
  const client = await rig.front.openClient(BROWSER_PATH);
  const closed = closing(client);
  network.cut();
  const lostAt = performance.now();
  expect(await closed).toEqual([1011, "The connection to the browser was lost."]);
  expect(performance.now() - lostAt).toBeLessThan(1000);
});

test("a stopping front-end sends 1001 to its clients and disconnects them from the browser", async () => {
  const client = await rig.front.openClient(BROWSER_PATH);
  await expect.poll(() => rig.target.clients.size).toBe(1);
  const closed = closing(client);
  await rig.front.gateway[Symbol.asyncDispose]();
  expect(await closed).toEqual([1001, "connection closed: shutdown"]);
  await rig.target.left(1);
});

test("a client that vanishes is disconnected from the browser", async () => {
  const client = await rig.front.openClient(BROWSER_PATH);
  await expect.poll(() => rig.target.clients.size).toBe(1);
  (Reflect.get(client, "_socket") as Socket).resetAndDestroy();
  await rig.target.left(1);
  await expect.poll(() => rig.front.gateway.clients).toBe(0);
});

test("if a client disconnects during the handshake, its connection to the worker is closed", async () => {
  const { promise: arrived, resolve } = Promise.withResolvers<void>();
  await using _silent = await rig.openRawWorker((socket) => void socket.resume().once("resume", resolve));
  const client = rig.front.send(upgradeHead(BROWSER_PATH));
  await arrived;
  client.destroy();
  await expect.poll(() => rig.front.gateway.clients).toBe(0);
});

test("desktop viewers are relayed, and Stop disconnects them", async () => {
  await using desktop = await openScriptedDesktop();
  await using other = await openGatewayRig(rig.target, { findDesktop: () => desktop.target });
  rig.workerUrl = new URL(`http://127.0.0.1:${other.port}`);
  const viewer = await rig.front.openClient(DESKTOP_PATH);
  const screen = await desktop.next();
  screen.write(AUTHENTICATED);
  await expect.poll(() => desktop.events).toEqual(["admitted", "authenticated"]);
  viewer.send(Buffer.from("keys"));
  expect(String((await once(screen, "data"))[0])).toBe("keys");
  const closed = closing(viewer);
  desktop.stop();
  expect(await closed).toEqual([1000, "desktop stopped"]);
});

test("a worker can be reached over TLS under its own name", async () => {
  const known = getCACertificates("default");
  setDefaultCACertificates([...known, CERTIFICATE]);
  await using proxy = await openTlsProxy("");
  proxy.setTarget(rig.workerUrl);
  rig.workerUrl = new URL(proxy.publicUrl);
  // The certificate belongs to the proxy, not to the host that the client requested.
  const client = rig.front.send(upgradeHead(BROWSER_PATH, { Host: "worker.example" }));
  const [answer] = await once(client, "data");
  setDefaultCACertificates(known);
  expect(String(answer)).toMatch(/^HTTP\/1\.1 101 /);
  client.destroy();
  await rig.target.left(1);
});
