import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { type Socket, connect } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { WebSocket } from "ws";
import { type FakeService, echo, openFakeService } from "../test/fake-service.ts";
import { expectSoon } from "../test/expect-soon.ts";
import { type Tunnel, openTunnel } from "./open-tunnel.ts";

const GREETING = "RFB 003.008\n";

let service: FakeService;
let tunnel: Tunnel;
let notices: string[];

beforeEach(async () => {
  service = await openFakeService({ onConnection: greet });
  notices = [];
  tunnel = await openTunnel({ address: service.rfbUrl, port: 0, onNotice: (notice) => notices.push(notice) });
  await expectSoon(() => service.connections.size, 0);
});

afterEach(async () => {
  await tunnel[Symbol.asyncDispose]();
  await expectSoon(() => service.connections.size, 0);
  await service[Symbol.asyncDispose]();
});

/** Sends the first message, as RFB servers do, in the packet that opens the connection. */
function greet(socket: WebSocket): void {
  socket.send(Buffer.from(GREETING));
  echo(socket);
}

async function view(): Promise<Socket> {
  const viewer = connect(tunnel.port, "127.0.0.1").on("error", () => {});
  expect(String(await read(viewer, GREETING.length))).toBe(GREETING);
  return viewer;
}

async function read(viewer: Socket, length: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for (let left = length; left > 0;) {
    const chunk = (viewer.read(Math.min(left, viewer.readableLength || left)) ?? undefined) as Buffer | undefined;
    if (chunk === undefined) await once(viewer, "readable");
    else {
      chunks.push(chunk);
      left -= chunk.length;
    }
  }
  return Buffer.concat(chunks);
}

test("bytes are converted to binary frames and frames to bytes, from the first byte on", async () => {
  const viewer = await view();
  const kinds: boolean[] = [];
  [...service.connections][0]?.on("message", (_, isBinary) => kinds.push(isBinary));
  const bytes = randomBytes(20 * 1024 * 1024);
  viewer.write(bytes);
  expect(Buffer.compare(await read(viewer, bytes.length), bytes)).toBe(0);
  expect(new Set(kinds)).toEqual(new Set([true]));
  viewer.destroy();
});

test("each viewer has its own connection", async () => {
  const viewers = await Promise.all([view(), view(), view()]);
  expect(service.connections.size).toBe(3);
  for (const [at, viewer] of viewers.entries()) viewer.write(`viewer ${at}`);
  const answers = await Promise.all(viewers.map((viewer) => read(viewer, "viewer 0".length)));
  expect(answers.map(String)).toEqual(["viewer 0", "viewer 1", "viewer 2"]);
  viewers[0]?.destroy();
  await expectSoon(() => service.connections.size, 2);
  viewers[1]?.end();
  await expectSoon(() => service.connections.size, 1);
  viewers[2]?.destroy();
  await expectSoon(() => service.connections.size, 0);
  expect(notices).toEqual([]);
});

test.each([11, 20 * 1024 * 1024])(
  "the last %i bytes from each peer arrive, even if the reader is slow",
  async (length) => {
    const viewer = await view();
    const [server] = service.connections;
    if (server === undefined) throw new Error("Nothing is connected.");
    let received = 0;
    server.removeAllListeners("message").on("message", (data: Buffer) => {
      received += data.length;
      server.pause();
      setImmediate(() => server.resume());
    });
    viewer.resume().end(Buffer.alloc(length));
    await once(server, "close");
    expect(received).toBe(length);

    const other = await view();
    const [speaker] = service.connections;
    speaker?.send(Buffer.alloc(length));
    speaker?.close(1000, "that was all");
    for (let left = length; left > 0; left -= Math.min(left, 65_536)) {
      await read(other, Math.min(left, 65_536));
      await new Promise((resolve) => setImmediate(resolve));
    }
    other.destroy();
  },
);

test("a viewer that doesn't read stalls only its own connection, and the server stops sending", async () => {
  const [viewer, other] = [await view(), await view()];
  const server = [...service.connections][0];
  if (server === undefined) throw new Error("Nothing is connected.");
  const [chunk, count] = [Buffer.alloc(1024 * 1024), 64];
  viewer.pause();
  for (let sent = 0; sent < count; sent += 1) server.send(chunk, () => {});
  other.write("moves");
  expect(String(await read(other, "moves".length))).toBe("moves");
  expect(server.bufferedAmount).toBeGreaterThan((count - 30) * chunk.length);
  expect((await read(viewer, count * chunk.length)).length).toBe(count * chunk.length);
  viewer.destroy();
  other.destroy();
});

test("if a desktop stops, its viewers are disconnected and the tunnel ends", async () => {
  const viewer = await view();
  const gone = once(viewer.resume(), "close");
  service.end("desktop stopped");
  expect(await tunnel.ended).toBe("The desktop has stopped (desktop stopped).");
  await gone;
});

test("if a desktop stops without viewers, the next viewer's connection ends the tunnel", async () => {
  service.end();
  const viewer = connect(tunnel.port, "127.0.0.1").resume();
  await once(viewer, "close");
  expect(await tunnel.ended).toMatch(/^The desktop has stopped\. .*404 BrowserNotFound/);
});

test("if the server disconnects one viewer, the tunnel reports it and the other viewers stay connected", async () => {
  const [viewer, other] = [await view(), await view()];
  const gone = once(viewer.resume(), "close");
  [...service.connections][0]?.close(1008, "wrong password");
  await gone;
  await expectSoon(() => notices, ["A viewer was disconnected: wrong password."]);
  expect(await Promise.race([tunnel.ended, Promise.resolve("goes on")])).toBe("goes on");
  other.write("still here");
  expect(String(await read(other, "still here".length))).toBe("still here");
  other.destroy();
});

test("if a viewer can't be connected, the tunnel disconnects it and reports the reason", async () => {
  await service[Symbol.asyncDispose]();
  const viewer = connect(tunnel.port, "127.0.0.1").resume();
  await once(viewer, "close");
  await expectSoon(() => notices.length, 1);
  expect(notices[0]).toMatch(/^A viewer could not be connected\. Nothing listens on localhost:/);
  expect(await Promise.race([tunnel.ended, Promise.resolve("goes on")])).toBe("goes on");
});

test("disposing disconnects the viewers", async () => {
  const viewer = await view();
  const gone = once(viewer.resume(), "close");
  await tunnel[Symbol.asyncDispose]();
  await gone;
  await expectSoon(() => service.connections.size, 0);
});
