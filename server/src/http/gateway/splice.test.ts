import { once } from "node:events";
import type { Socket } from "node:net";
import { expect, test } from "vitest";
import type { WebSocket } from "ws";
import { openFakeDevtools, openRawDevtools } from "./support/fake-devtools.ts";
import { type CountedTarget, countedTarget, openGatewayRig, readToEnd, upgradeHead } from "./support/gateway-rig.ts";

const KNOWN = "/devtools/browser/known";
const ANSWER = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n";
const SHORT = { endNoticeMs: 300, closeGraceMs: 300 };

/** A DevTools server that has sent this after its 101. */
function devtoolsThatSent(text: string, then: (socket: Socket) => void = () => {}) {
  return openRawDevtools((socket) => {
    socket.resume().once("data", () => socket.write(Buffer.from(ANSWER + text, "latin1"), () => then(socket)));
  });
}

/** A bare client, once it has received `bytes` of payload; `all` is what it gets after the 101 until it is closed. */
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

test("a browser's end reaches its clients as code and reason", async () => {
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

test("a browser that had ended when the client came through says so at once", async () => {
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

test("inside a frame no close frame is written: the client is cut", async () => {
  await using devtools = await devtoolsThatSent(`\x81\x7e\x01\x00${"x".repeat(100)}`);
  const target = countedTarget(devtools);
  await using rig = await openGatewayRig(target);
  const { all } = await receive(rig.send(upgradeHead(KNOWN)), 104);
  target.end(1000, "browser closed: requested");
  expect(await all).toBe(`\x81\x7e\x01\x00${"x".repeat(100)}`);
});

test("between two fragments of a message a close frame is written", async () => {
  await using devtools = await devtoolsThatSent("\x01\x03abc");
  const target = countedTarget(devtools);
  await using rig = await openGatewayRig(target);
  const { all } = await receive(rig.send(upgradeHead(KNOWN)), 5);
  target.end(1000, "bye");
  expect(await all).toBe("\x01\x03abc\x88\x05\x03\xe8bye");
});

test("after the browser's own close frame comes no second one", async () => {
  await using devtools = await devtoolsThatSent("\x88\x02\x03\xe9");
  const target = countedTarget(devtools);
  await using rig = await openGatewayRig(target);
  const { all } = await receive(rig.send(upgradeHead(KNOWN)), 4);
  target.end(1000, "browser closed: requested");
  expect(await all).toBe("\x88\x02\x03\xe9");
});

test("the browser's own close frame and FIN go to the client as they are", async () => {
  await using devtools = await devtoolsThatSent("\x88\x02\x03\xe9", (socket) => socket.end());
  const target = countedTarget(devtools);
  await using rig = await openGatewayRig(target);
  expect(await (await receive(rig.send(upgradeHead(KNOWN)), 4)).all).toBe("\x88\x02\x03\xe9");
  await target.left(1);
});

test("a connection that a dying browser drops waits for the reason of its end", async () => {
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

test("a connection that a living browser drops is closed with 1011 after the notice time", async () => {
  await using devtools = await openFakeDevtools((client) => client.terminate());
  const target = countedTarget(devtools);
  await using rig = await openGatewayRig(target, { limits: SHORT });
  expect((await closing(await rig.openClient()))[0]).toBe(1011);
});

test("a client that does not answer the close is cut after the grace time", async () => {
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
  expect(rig.gateway.clients).toBe(0);
  client.destroy();
});

test("disposing ends every client with 1001 and refuses new ones", async () => {
  await using devtools = await openFakeDevtools(() => {});
  const target = countedTarget(devtools);
  await using rig = await openGatewayRig(target);
  const closed = closing(await rig.openClient());
  await expect.poll(() => target.clients.size).toBe(1);
  await rig.gateway[Symbol.asyncDispose]();
  expect([rig.gateway.clients, target.clients.size, devtools.connections.size]).toEqual([0, 0, 0]);
  expect(await closed).toEqual([1001, "The server is shutting down."]);
  expect(String(await readToEnd(rig.send(upgradeHead(KNOWN))))).toMatch(/^HTTP\/1\.1 503 /);
  await rig.gateway[Symbol.asyncDispose]();
});

test("disposing ends handshakes under way", async () => {
  const { promise: arrived, resolve } = Promise.withResolvers<Socket>();
  await using devtools = await openRawDevtools(resolve);
  await using rig = await openGatewayRig(countedTarget(devtools));
  const answer = readToEnd(rig.send(upgradeHead(KNOWN)));
  await arrived;
  await rig.gateway[Symbol.asyncDispose]();
  expect(String(await answer)).toMatch(/^HTTP\/1\.1 503 /);
  expect(rig.gateway.clients).toBe(0);
});
