import { once } from "node:events";
import { type AddressInfo, type Socket, connect, createServer } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { connect as connectTls, createServer as createTlsServer, type TLSSocket } from "node:tls";
import { expect, test } from "vitest";
import type { WebSocket } from "ws";
import { CERTIFICATE, KEY } from "../../../../clients/tunnel/test/certificate.fixtures.ts";
import { MAX_FRAME_BYTES, relayDevtools } from "./devtools-relay.ts";
import { toCloseFrame } from "./websocket-frames.ts";
import { systemClock } from "../../adapters/node/system-clock.ts";
import { openFakeDevtools, openRawDevtools } from "../../../test/support/gateway/fake-devtools.ts";
import {
  type CountedTarget,
  countedTarget,
  openGatewayRig,
  readToEnd,
  upgradeHead,
} from "../../../test/support/gateway/gateway-rig.ts";

const KNOWN = "/devtools/browser/known";
const ANSWER = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n";
const SHORT = { endNoticeMs: 300, closeGraceMs: 300 };

/** Starts a DevTools server that sends text after its 101. */
function devtoolsThatSent(text: string, then: (socket: Socket) => void = () => {}) {
  return openRawDevtools((socket) => {
    socket.resume().once("data", () => socket.write(Buffer.from(ANSWER + text, "latin1"), () => then(socket)));
  });
}

/**
 * Waits until a client has received `bytes` after its 101. `all` resolves to everything that the client receives after
 * the 101 until its connection closes.
 */
async function receive(client: Socket, bytes: number): Promise<{ all: Promise<string> }> {
  let text = "";
  client.on("data", (chunk: Buffer) => (text += chunk.toString("latin1")));
  while (text.length < ANSWER.length + bytes) await once(client, "data");
  const ended = Promise.race([once(client, "end"), once(client, "close")]);
  return { all: ended.then(() => (client.destroy(), text.slice(ANSWER.length))) };
}

async function closing(client: WebSocket): Promise<[number, string]> {
  const [code, reason] = (await once(client, "close")) as [number, Buffer];
  return [code, String(reason)];
}

test("clients receive a close code and reason when their browser ends", async () => {
  await using devtools = await openFakeDevtools((client) => client.send("hello"));
  const target = countedTarget(devtools);
  await using rig = await openGatewayRig(target);
  const clients = [await rig.openClient(), await rig.openClient()];
  await expect.poll(() => target.clients.size).toBe(2);
  const closings = clients.map(closing);
  target.end(1000, "browser closed: inactive");
  expect(await Promise.all(closings)).toEqual([
    [1000, "browser closed: inactive"],
    [1000, "browser closed: inactive"],
  ]);
  await expect.poll(() => [rig.gateway.clients, devtools.connections.size]).toEqual([0, 0]);
});

test("a connection to a browser that has ended is closed immediately with the reason", async () => {
  await using devtools = await openFakeDevtools(() => {});
  const target = countedTarget(devtools);
  const ended: CountedTarget = {
    ...target,
    join(client) {
      const leave = target.join(client);
      client.end(1011, "browser closed: crashed");
      return leave;
    },
  };
  await using rig = await openGatewayRig(ended);
  const client = await rig.openClient();
  expect(await closing(client)).toEqual([1011, "browser closed: crashed"]);
  await target.left(1);
});

test("a client that is in the middle of a frame is disconnected without a close frame", async () => {
  await using devtools = await devtoolsThatSent(`\x81\x7e\x01\x00${"x".repeat(100)}`);
  const target = countedTarget(devtools);
  await using rig = await openGatewayRig(target);
  const { all } = await receive(rig.send(upgradeHead(KNOWN)), 104);
  target.end(1000, "browser closed: requested");
  expect(await all).toBe(`\x81\x7e\x01\x00${"x".repeat(100)}`);
});

test("a close frame is sent between two fragments of a message", async () => {
  await using devtools = await devtoolsThatSent("\x01\x03abc");
  const target = countedTarget(devtools);
  await using rig = await openGatewayRig(target);
  const { all } = await receive(rig.send(upgradeHead(KNOWN)), 5);
  target.end(1000, "bye");
  expect(await all).toBe("\x01\x03abc\x88\x05\x03\xe8bye");
});

test("no second close frame follows the browser's close frame", async () => {
  await using devtools = await devtoolsThatSent("\x88\x02\x03\xe9");
  const target = countedTarget(devtools);
  await using rig = await openGatewayRig(target);
  const { all } = await receive(rig.send(upgradeHead(KNOWN)), 4);
  target.end(1000, "browser closed: requested");
  expect(await all).toBe("\x88\x02\x03\xe9");
});

test("the browser's own close frame and FIN reach the client unchanged", async () => {
  await using devtools = await devtoolsThatSent("\x88\x02\x03\xe9", (socket) => socket.end());
  const target = countedTarget(devtools);
  await using rig = await openGatewayRig(target, { limits: { endNoticeMs: 60_000 } });
  expect(await (await receive(rig.send(upgradeHead(KNOWN)), 4)).all).toBe("\x88\x02\x03\xe9");
  await target.left(1);
});

test("if a browser drops the connection as it ends, the client receives the end reason", async () => {
  await using devtools = await openFakeDevtools((client) => client.terminate());
  const target = countedTarget(devtools);
  await using rig = await openGatewayRig(target);
  const client = await rig.openClient();
  const closed = closing(client);
  await expect.poll(() => devtools.connections.size).toBe(0);
  client.send("into the void");
  target.end(1011, "browser closed: crashed");
  expect(await closed).toEqual([1011, "browser closed: crashed"]);
});

test("when a browser that stays open drops the connection, the client receives 1011 after the notice period", async () => {
  await using devtools = await openFakeDevtools((client) => client.terminate());
  const target = countedTarget(devtools);
  await using rig = await openGatewayRig(target, { limits: SHORT });
  expect((await closing(await rig.openClient()))[0]).toBe(1011);
});

test.each([
  [MAX_FRAME_BYTES - 14, 1011, "The connection to the browser was lost."],
  [
    MAX_FRAME_BYTES - 13,
    1009,
    "A frame of 104857601 bytes is too long: Chromium accepts up to 104857600. Send several frames.",
  ],
] as const)(
  "when a browser drops the connection during a frame with %i bytes of payload, the close code is %i",
  async (length, code, reason) => {
    const head = Buffer.from([0x81, 0xff, ...Array.from({ length: 12 }, () => 0)]);
    head.writeBigUInt64BE(BigInt(length), 2);
    await using devtools = await openRawDevtools((socket) => {
      const drop = (chunk: Buffer): void => void (chunk.includes(head) && socket.destroy());
      socket.once("data", () => socket.on("data", drop).write(ANSWER));
    });
    const target = countedTarget(devtools);
    await using rig = await openGatewayRig(target, { limits: SHORT });
    const client = rig.send(upgradeHead(KNOWN));
    const { all } = await receive(client, 0);
    client.write(head);
    expect(await all).toBe(toCloseFrame(code, reason).toString("latin1"));
    await target.left(1);
  },
);

test("a client that doesn't respond to the close frame is disconnected after the grace period", async () => {
  await using devtools = await devtoolsThatSent("");
  const target = countedTarget(devtools);
  await using rig = await openGatewayRig(target, { limits: SHORT });
  const client = rig.send(upgradeHead(KNOWN));
  await expect.poll(() => target.clients.size).toBe(1);
  const ended = once(client.resume(), "end");
  target.end(1000, "");
  await ended;
  client.write("more");
  await expect.poll(() => rig.connections()).toBe(0);
  await expect.poll(() => rig.gateway.clients).toBe(0);
  client.destroy();
});

test("data that a client sends before it leaves reaches a browser that reads slowly", async () => {
  const { promise: answered, resolve } = Promise.withResolvers<Socket>();
  await using devtools = await openRawDevtools((socket) => {
    socket.once("data", () => socket.pause().write(ANSWER, () => resolve(socket)));
  });
  const target = countedTarget(devtools);
  const connected = Promise.withResolvers<Socket>();
  await using rig = await openGatewayRig({
    ...target,
    async connect(signal) {
      const socket = await target.connect(signal);
      connected.resolve(socket);
      return socket;
    },
  });
  const client = rig.send(upgradeHead(KNOWN)).setNoDelay(true);
  const [browser, gatewaySide] = await Promise.all([answered, connected.promise]);
  await once(client, "data");
  // Send small chunks, so that the gateway still has bytes to write, but not so many that it stops reading.
  for (let isFull = false; !isFull; isFull = gatewaySide.writableLength > 0) {
    client.write(Buffer.alloc(1000));
    await nextTurn();
  }
  const left = target.left(1);
  client.end();
  await left;
  let received = 0;
  browser.on("data", (chunk: Buffer) => (received += chunk.length)).resume();
  await once(browser, "end");
  expect(received).toBe(client.bytesWritten - upgradeHead(KNOWN).length);
});

test("disposing disconnects all clients with 1001 and refuses new ones", async () => {
  await using devtools = await openFakeDevtools(() => {});
  const target = countedTarget(devtools);
  await using rig = await openGatewayRig(target);
  const closed = closing(await rig.openClient());
  await expect.poll(() => target.clients.size).toBe(1);
  await rig.gateway[Symbol.asyncDispose]();
  expect([rig.gateway.clients, target.clients.size, devtools.connections.size]).toEqual([0, 0, 0]);
  expect(await closed).toEqual([1001, "browser closed: shutdown"]);
  expect(String(await readToEnd(rig.send(upgradeHead(KNOWN))))).toMatch(/^HTTP\/1\.1 503 /);
  await rig.gateway[Symbol.asyncDispose]();
});

test("a client that left before the relay started is removed immediately, and the connection to the browser is closed", async () => {
  await using devtools = await openRawDevtools((socket) => void socket.resume());
  for (const leave of [(client: Socket) => client.end(), (client: Socket) => client.destroy()]) {
    const server = createServer({ allowHalfOpen: true }).listen(0, "127.0.0.1");
    const accepted = once(server, "connection");
    await once(server, "listening");
    const far = connect((server.address() as AddressInfo).port, "127.0.0.1");
    const [client] = (await accepted) as [Socket];
    const browser = connect(devtools.path);
    await once(browser, "connect");
    leave(client.resume());
    far.end();
    await Promise.race([once(client, "end"), once(client, "close")]);

    const { left, closed } = relayDevtools(client, browser, SHORT, systemClock);
    await left;
    await closed;
    expect([client.destroyed, browser.destroyed]).toEqual([true, true]);
    server.close();
  }
});

test("a TLS client that no longer reads is disconnected", async () => {
  await using devtools = await openRawDevtools((socket) => void socket.resume());
  const server = createTlsServer({ cert: CERTIFICATE, key: KEY }).listen(0, "127.0.0.1");
  const accepted = once(server, "secureConnection");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const far = connectTls({ port, host: "127.0.0.1", ca: CERTIFICATE })
    .on("error", () => {})
    .resume();
  const [client] = (await accepted) as [TLSSocket];
  const browser = connect(devtools.path);
  await once(browser, "connect");
  const { cut, closed } = relayDevtools(client, browser, SHORT, systemClock);
  const ended = once(far, "close");
  cut();
  await Promise.all([closed, ended]);
  expect([client.destroyed, browser.destroyed]).toEqual([true, true]);
  server.close();
});
