import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import type { ProxyEndpoint, EgressProxy } from "../../ports/egress.ts";
import { createEgress } from "./egress.ts";
import {
  ask,
  askThrough,
  countHandles,
  expectHandles,
  LOOPBACK,
  openSite,
  openTcp,
  SILENT,
  toProxy,
  tunnel,
} from "./egress.fixtures.ts";

const egress = createEgress({ policy: "any", log: SILENT });
let folder: string;
let handles: number;
let stack: AsyncDisposableStack;

beforeEach(() => {
  handles = countHandles();
  folder = mkdtempSync(join(tmpdir(), "egress-"));
  stack = new AsyncDisposableStack();
});

afterEach(async () => {
  await stack.disposeAsync();
  rmSync(folder, { recursive: true });
  await expectHandles(handles);
});

async function openWay(
  doorway: ProxyEndpoint = LOOPBACK,
): Promise<{ way: EgressProxy; proxy: ReturnType<typeof toProxy> }> {
  const way = stack.use(await egress.open(doorway, undefined));
  return { way, proxy: toProxy(way, doorway) };
}

test.each(["path", "port"])("pages and tunnels come through a doorway that is a %s", async (kind) => {
  const { proxy, way } = await openWay(kind === "path" ? { path: join(folder, "egress.sock") } : LOOPBACK);
  const site = stack.use(await openSite((request, response) => response.end(`page ${request.url}`)));
  const { body } = await ask(proxy, `http://127.0.0.1:${site.port}/a?b`);
  expect(body.toString()).toBe("page /a?b");
  const { socket } = await tunnel(proxy, `127.0.0.1:${site.port}`);
  expect(await askThrough(socket, "/c")).toBe("page /c");
  expect(way.port === undefined).toBe(kind === "path");
});

test("localhost, its subdomains and the same machine's IPv6 are reached", async () => {
  const { proxy } = await openWay();
  const site = stack.use(await openSite((_request, response) => response.end("here")));
  const other = stack.use(await openSite((_request, response) => response.end("here, by IPv6"), "::1"));
  for (const host of [`localhost:${site.port}`, `app.localhost:${site.port}`]) {
    expect((await ask(proxy, `http://${host}/`)).body.toString()).toBe("here");
  }
  for (const host of [`[::1]:${other.port}`, `localhost:${other.port}`]) {
    expect((await ask(proxy, `http://${host}/`)).body.toString()).toBe("here, by IPv6");
    const { socket } = await tunnel(proxy, host);
    expect(await askThrough(socket, "/")).toBe("here, by IPv6");
  }
});

test("200 requests at once are all answered", async () => {
  const { proxy } = await openWay({ path: join(folder, "egress.sock") });
  const site = stack.use(await openSite((request, response) => response.end(request.url)));
  const answers = await Promise.all(
    Array.from({ length: 200 }, async (_, index) => {
      if (index % 2 === 0) return (await ask(proxy, `http://127.0.0.1:${site.port}/${index}`)).body.toString();
      return askThrough((await tunnel(proxy, `127.0.0.1:${site.port}`)).socket, `/${index}`);
    }),
  );
  expect(answers).toEqual(Array.from({ length: 200 }, (_, index) => `/${index}`));
});

test("WebSockets go through tunnels, and text a client sends along with its CONNECT is not lost", async () => {
  const { proxy } = await openWay();
  const site = stack.use(await openSite(() => undefined));
  const sockets = new WebSocketServer({ server: site.server });
  sockets.on("connection", (socket) => socket.on("message", (data) => socket.send(data)));
  const { socket } = await tunnel(proxy, `127.0.0.1:${site.port}`);
  const client = new WebSocket(`ws://127.0.0.1:${site.port}/`, { createConnection: () => socket });
  await once(client, "open");
  client.send("hello");
  expect(String((await once(client, "message"))[0])).toBe("hello");
  client.terminate();

  const echo = stack.use(await openTcp((peer) => peer.pipe(peer)));
  const early = await tunnel(proxy, `127.0.0.1:${echo.port}`);
  early.socket.end("early");
  expect(Buffer.concat((await early.socket.toArray()) as Buffer[]).toString()).toBe("early");
});

test("a browser that leaves takes its connection to the site along, though the site never ends it", async () => {
  const { proxy } = await openWay();
  const gone: string[] = [];
  const come: string[] = [];
  const site = stack.use(
    await openTcp((socket) => {
      socket.on("data", (data) => {
        const name = String(data).includes("HTTP") ? "page" : "tunnel";
        come.push(name);
        if (name === "page") socket.write("HTTP/1.1 200 OK\r\n\r\n");
        const pour = setInterval(() => socket.write("x"), 1);
        socket.on("close", () => {
          clearInterval(pour);
          gone.push(name);
        });
      });
    }),
  );
  const { socket } = await tunnel(proxy, `127.0.0.1:${site.port}`);
  socket.write("go");
  await once(socket, "data");
  socket.destroy();
  await vi.waitFor(() => expect(gone).toEqual(["tunnel"]));

  const controller = new AbortController();
  const asked = ask(proxy, `http://127.0.0.1:${site.port}/`, { signal: controller.signal });
  await vi.waitFor(() => expect(come).toEqual(["tunnel", "page"]));
  controller.abort();
  await expect(asked).rejects.toThrow();
  await vi.waitFor(() => expect(gone).toEqual(["tunnel", "page"]));
});

test("a browser that leaves while its host is being looked up leaves no connection behind", async () => {
  const lookups: ((addresses: string[]) => void)[] = [];
  const slow = createEgress({
    policy: "any",
    log: SILENT,
    lookup: () => new Promise((resolve) => lookups.push(resolve)),
  });
  const way = stack.use(await slow.open(LOOPBACK, undefined));
  const site = stack.use(await openTcp((socket) => socket.resume().once("end", () => socket.end())));
  const controller = new AbortController();
  const asked = ask(toProxy(way, LOOPBACK), `http://page.example:${site.port}/`, { signal: controller.signal });
  const socket = connect(way.port ?? 0, "127.0.0.1");
  socket.write(`CONNECT tunnel.example:${site.port} HTTP/1.1\r\nHost: x\r\n\r\n`);
  await vi.waitFor(() => expect(lookups).toHaveLength(2));
  controller.abort();
  socket.destroy();
  await expect(asked).rejects.toThrow();
  // The end of a connection that asked for a tunnel is read only once there is a target to read for.
  await expectHandles(handles + 3);
  for (const resolve of lookups) resolve(["127.0.0.1"]);
  // What is left is the two listeners.
  await expectHandles(handles + 2);
});

test("a site that leaves first ends the tunnel after its last byte", async () => {
  const { proxy } = await openWay();
  const last = randomBytes(500_000);
  const site = stack.use(await openTcp((socket) => socket.end(last)));
  const { socket } = await tunnel(proxy, `127.0.0.1:${site.port}`);
  expect(Buffer.concat((await socket.toArray()) as Buffer[]).equals(last)).toBe(true);
});

test("traffic counts what went to and came from the network, while connections are open and after", async () => {
  const { proxy, way } = await openWay();
  const site = stack.use(await openTcp((socket) => socket.on("data", () => socket.write("12345"))));
  const { socket } = await tunnel(proxy, `127.0.0.1:${site.port}`);
  expect(way.traffic()).toEqual({ sent: 0, received: 0 });
  socket.write("123");
  await once(socket, "data");
  expect(way.traffic()).toEqual({ sent: 3, received: 5 });
  const page = stack.use(await openSite((_request, response) => response.end("x".repeat(1000))));
  socket.destroy();
  await ask(proxy, `http://127.0.0.1:${page.port}/`);
  await vi.waitFor(() => expect(way.traffic().received).toBeGreaterThan(1005));
  const total = way.traffic();
  await way[Symbol.asyncDispose]();
  expect(way.traffic()).toEqual(total);
});

test("what is no proxy request is refused and harms nothing", async () => {
  const { proxy, way } = await openWay();
  const site = stack.use(await openSite((_request, response) => response.end("still here")));
  for (const path of ["/json/version", "*", "ftp://127.0.0.1/", "https://127.0.0.1/"]) {
    expect((await ask(proxy, path)).status).toBe(400);
  }
  for (const authority of ["127.0.0.1", "x:99999"]) expect((await tunnel(proxy, authority)).status).toBe(400);
  // The way itself as its own target: an end after one round.
  expect((await ask(proxy, `http://127.0.0.1:${way.port}/`)).status).toBe(400);
  for (const bytes of [Buffer.from("\x16\x03\x01\x02\x00nonsense\r\n\r\n"), randomBytes(2000)]) {
    const { socket } = await tunnel(proxy, `127.0.0.1:${way.port}`);
    socket.write(bytes);
    await vi.waitFor(() => expect(socket.destroyed || socket.readableLength > 0).toBe(true));
    socket.destroy();
  }
  expect((await ask(proxy, `http://127.0.0.1:${site.port}/`)).body.toString()).toBe("still here");
});

test("disposing cuts clients and targets, removes the socket's file, and is safe twice and while opening", async () => {
  const path = join(folder, "egress.sock");
  const { proxy, way } = await openWay({ path });
  const site = stack.use(await openTcp((socket) => socket.resume()));
  const { socket } = await tunnel(proxy, `127.0.0.1:${site.port}`);
  const left = once(socket, "close");
  const asked = ask(proxy, `http://127.0.0.1:${site.port}/`).catch(() => "cut");
  const opening = tunnel(proxy, `127.0.0.1:${site.port}`).catch(() => "cut");
  await Promise.all([way[Symbol.asyncDispose](), way[Symbol.asyncDispose]()]);
  await way[Symbol.asyncDispose]();
  expect(existsSync(path)).toBe(false);
  await left;
  expect(await asked).toBe("cut");
  expect(await opening).toBe("cut");
});

test("disposing does not wait for a site that reads nothing", async () => {
  const { proxy, way } = await openWay();
  const site = stack.use(await openTcp((socket) => socket.pause()));
  const { socket } = await tunnel(proxy, `127.0.0.1:${site.port}`);
  socket.write(Buffer.alloc(64_000_000));
  let sent = -1;
  await vi.waitFor(
    () => {
      const before = sent;
      sent = way.traffic().sent;
      expect(sent).toBe(before);
    },
    { interval: 50 },
  );
  expect(sent).toBeLessThan(60_000_000);
  await way[Symbol.asyncDispose]();
  // The site's two: its listener and its side of the connection, whose end it does not read.
  await expectHandles(handles + 2);
});

test("a doorway that cannot be listened on is an error that holds nothing", async () => {
  const path = join(folder, "missing", "egress.sock");
  await expect(egress.open({ path }, undefined)).rejects.toThrow();
  await expect(egress.open({ path: join(folder, "x".repeat(200)) }, undefined)).rejects.toThrow();
});
