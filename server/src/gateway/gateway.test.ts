import { once } from "node:events";
import type { Socket } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { WebSocket } from "ws";
import { type FakeDevtools, openFakeDevtools } from "../../test/support/gateway/fake-devtools.ts";
import {
  type CountedTarget,
  type GatewayRig,
  countedTarget,
  openGatewayRig,
} from "../../test/support/gateway/gateway-rig.ts";

let devtools: FakeDevtools;
let target: CountedTarget;
let rig: GatewayRig;
let browserSides: WebSocket[];

beforeEach(async () => {
  browserSides = [];
  devtools = await openFakeDevtools((client) => {
    browserSides.push(client);
    client.on("message", (data, isBinary) => client.send(data, { binary: isBinary }));
  });
  target = countedTarget(devtools);
  rig = await openGatewayRig(target);
});

afterEach(async () => {
  await rig[Symbol.asyncDispose]();
  await devtools[Symbol.asyncDispose]();
});

function socketOf(client: WebSocket): Socket {
  return Reflect.get(client, "_socket") as Socket;
}

test("messages of any size arrive complete and in order, in both directions", async () => {
  const client = await rig.openClient();
  const sizes = [0, 1, 125, 126, 65_535, 65_536, 3_000_000, 5];
  const echoed: Buffer[] = [];
  client.on("message", (data: Buffer) => echoed.push(data));
  const all = sizes.map((size, at) => Buffer.alloc(size, at + 1));
  for (const message of all) client.send(message);
  client.close(1000);
  await once(client, "close");
  expect(echoed.map((message) => message.length)).toEqual(sizes);
  expect(Buffer.concat(echoed).equals(Buffer.concat(all))).toBe(true);
});

const LEAVING: [string, (client: WebSocket) => void][] = [
  ["a close frame", (client) => client.close(1000)],
  ["a FIN", (client) => void socketOf(client).end()],
  ["a reset", (client) => void socketOf(client).resetAndDestroy()],
];

test.each(LEAVING)(
  "a client that leaves with %s is removed, and its connection to the browser is closed",
  async (_, leave) => {
    const client = await rig.openClient();
    client.on("error", () => {});
    await expect.poll(() => target.clients.size).toBe(1);
    leave(client);
    await target.left(1);
    await expect.poll(() => [rig.gateway.clients, devtools.connections.size]).toEqual([0, 0]);
  },
);

test("a client that leaves doesn't affect other clients", async () => {
  const [one, other] = [await rig.openClient(), await rig.openClient()];
  one.terminate();
  await target.left(1);
  other.send("still there");
  expect(String((await once(other, "message"))[0])).toBe("still there");
});
