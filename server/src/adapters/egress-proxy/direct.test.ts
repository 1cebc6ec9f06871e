import { randomBytes, randomInt } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import {
  ask,
  askThrough,
  countHandles,
  expectHandles,
  openEgress,
  openSite,
  openTcp,
  tunnel,
} from "../../../test/support/proxies/egress-rig.ts";

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

test.each(["port", "Unix socket"])("pages and tunnels work through an endpoint that is a %s", async (kind) => {
  const { endpoint } = await openEgress(stack, kind === "port" ? {} : { path: join(folder, "egress.sock") });
  const site = stack.use(await openSite((request, response) => response.end(`page ${request.url}`)));
  const { body } = await ask(endpoint, `http://127.0.0.1:${site.port}/a?b`);
  expect(body.toString()).toBe("page /a?b");
  const { socket } = await tunnel(endpoint, `127.0.0.1:${site.port}`);
  expect(await askThrough(socket, "/c")).toBe("page /c");
});

test("localhost, its subdomains and IPv6 addresses are reachable", async () => {
  const { endpoint } = await openEgress(stack);
  const site = stack.use(await openSite((_request, response) => response.end("here")));
  // A port that other tests don't use on 127.0.0.1, because localhost tries that address first.
  const port = randomInt(20_000, 30_000);
  const other = stack.use(await openSite((_request, response) => response.end("here, by IPv6"), "::1", port));
  for (const host of [`localhost:${site.port}`, `app.localhost:${site.port}`]) {
    expect((await ask(endpoint, `http://${host}/`)).body.toString()).toBe("here");
  }
  for (const host of [`[::1]:${other.port}`, `localhost:${other.port}`]) {
    expect((await ask(endpoint, `http://${host}/`)).body.toString()).toBe("here, by IPv6");
    const { socket } = await tunnel(endpoint, host);
    expect(await askThrough(socket, "/")).toBe("here, by IPv6");
  }
});

test("200 concurrent requests are all answered", async () => {
  const { endpoint } = await openEgress(stack, { path: join(folder, "egress.sock") });
  const site = stack.use(await openSite((request, response) => response.end(request.url)));
  const answers = await Promise.all(
    Array.from({ length: 200 }, async (_, index) => {
      if (index % 2 === 0) return (await ask(endpoint, `http://127.0.0.1:${site.port}/${index}`)).body.toString();
      return askThrough((await tunnel(endpoint, `127.0.0.1:${site.port}`)).socket, `/${index}`);
    }),
  );
  expect(answers).toEqual(Array.from({ length: 200 }, (_, index) => `/${index}`));
});

test("WebSockets go through tunnels, and data sent along with a CONNECT arrives", async () => {
  const { endpoint } = await openEgress(stack);
  const site = stack.use(await openSite(() => undefined));
  const sockets = new WebSocketServer({ server: site.server });
  sockets.on("connection", (socket) => socket.on("message", (data) => socket.send(data)));
  const { socket } = await tunnel(endpoint, `127.0.0.1:${site.port}`);
  const client = new WebSocket(`ws://127.0.0.1:${site.port}/`, { createConnection: () => socket });
  await once(client, "open");
  client.send("hello");
  expect(String((await once(client, "message"))[0])).toBe("hello");
  client.terminate();

  const echo = stack.use(await openTcp((peer) => peer.pipe(peer)));
  const early = await tunnel(endpoint, `127.0.0.1:${echo.port}`);
  early.socket.end("early");
  expect(Buffer.concat((await early.socket.toArray()) as Buffer[]).toString()).toBe("early");
});

test("data in a tunnel arrives byte for byte, even if the browser reads slowly", async () => {
  const { endpoint } = await openEgress(stack);
  // More data than the kernel buffers for a slow reader.
  const sent = randomBytes(2 ** 25);
  const site = stack.use(await openTcp((socket) => void socket.end(sent)));
  const { socket } = await tunnel(endpoint, `127.0.0.1:${site.port}`);
  const chunks: Buffer[] = [];
  for await (const chunk of socket) {
    chunks.push(chunk);
    await nextTurn();
  }
  expect(Buffer.concat(chunks).equals(sent)).toBe(true);
});

test("when a browser disconnects, its connections to sites close, even if a site keeps them open", async () => {
  const { endpoint } = await openEgress(stack);
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
  const { socket } = await tunnel(endpoint, `127.0.0.1:${site.port}`);
  socket.write("go");
  await once(socket, "data");
  socket.destroy();
  await vi.waitFor(() => expect(gone).toEqual(["tunnel"]));

  const controller = new AbortController();
  const asked = ask(endpoint, `http://127.0.0.1:${site.port}/`, { signal: controller.signal });
  await vi.waitFor(() => expect(come).toEqual(["tunnel", "page"]));
  controller.abort();
  await expect(asked).rejects.toThrow();
  await vi.waitFor(() => expect(gone).toEqual(["tunnel", "page"]));
});

test("when a browser disconnects during a lookup, no connection remains", async () => {
  const lookups: ((addresses: string[]) => void)[] = [];
  const { endpoint } = await openEgress(stack, { lookup: () => new Promise((resolve) => lookups.push(resolve)) });
  const site = stack.use(await openTcp((socket) => socket.resume().once("end", () => socket.end())));
  const controller = new AbortController();
  const asked = ask(endpoint, `http://page.example:${site.port}/`, { signal: controller.signal });
  const socket = connect(endpoint.port, "127.0.0.1");
  socket.write(`CONNECT tunnel.example:${site.port} HTTP/1.1\r\nHost: x\r\n\r\n`);
  await vi.waitFor(() => expect(lookups).toHaveLength(2));
  controller.abort();
  socket.destroy();
  await expect(asked).rejects.toThrow();
  // Without a target, the proxy doesn't notice that the tunnel's client has disconnected.
  await expectHandles(handles + 3);
  for (const resolve of lookups) resolve(["127.0.0.1"]);
  // The two listeners remain.
  await expectHandles(handles + 2);
});

test("when a site closes first, the tunnel ends after the site's last byte", async () => {
  const { endpoint } = await openEgress(stack);
  const last = randomBytes(500_000);
  const site = stack.use(await openTcp((socket) => socket.end(last)));
  const { socket } = await tunnel(endpoint, `127.0.0.1:${site.port}`);
  expect(Buffer.concat((await socket.toArray()) as Buffer[]).equals(last)).toBe(true);
});

test("traffic counts bytes sent to and received from the network, and keeps the total after disposal", async () => {
  const { proxy, endpoint } = await openEgress(stack);
  const site = stack.use(await openTcp((socket) => socket.on("data", () => socket.write("12345"))));
  const { socket } = await tunnel(endpoint, `127.0.0.1:${site.port}`);
  expect(proxy.traffic()).toEqual({ sent: 0, received: 0 });
  socket.write("123");
  await once(socket, "data");
  expect(proxy.traffic()).toEqual({ sent: 3, received: 5 });
  const page = stack.use(await openSite((_request, response) => response.end("x".repeat(1000))));
  socket.destroy();
  await ask(endpoint, `http://127.0.0.1:${page.port}/`);
  await vi.waitFor(() => expect(proxy.traffic().received).toBeGreaterThan(1005));
  const total = proxy.traffic();
  proxy[Symbol.dispose]();
  expect(proxy.traffic()).toEqual(total);
});

test("requests that aren't for a proxy are refused with 400, and other requests still work", async () => {
  const { endpoint } = await openEgress(stack);
  const site = stack.use(await openSite((_request, response) => response.end("still here")));
  for (const path of ["/json/version", "*", "ftp://127.0.0.1/", "https://127.0.0.1/"]) {
    expect((await ask(endpoint, path)).status).toBe(400);
  }
  for (const authority of ["127.0.0.1", "x:99999"]) expect((await tunnel(endpoint, authority)).status).toBe(400);
  // A request to the proxy itself passes through it once, and is then refused.
  expect((await ask(endpoint, `http://127.0.0.1:${endpoint.port}/`)).status).toBe(400);
  for (const bytes of [Buffer.from("\x16\x03\x01\x02\x00nonsense\r\n\r\n"), randomBytes(2000)]) {
    const { socket } = await tunnel(endpoint, `127.0.0.1:${endpoint.port}`);
    socket.write(bytes);
    await vi.waitFor(() => expect(socket.destroyed || socket.readableLength > 0).toBe(true));
    socket.destroy();
  }
  expect((await ask(endpoint, `http://127.0.0.1:${site.port}/`)).body.toString()).toBe("still here");
});

test("disposing twice is safe, and destroys clients, targets and later connections", async () => {
  const { endpoint, proxy } = await openEgress(stack);
  const site = stack.use(await openTcp((socket) => socket.resume()));
  const { socket } = await tunnel(endpoint, `127.0.0.1:${site.port}`);
  const left = once(socket, "close");
  const asked = ask(endpoint, `http://127.0.0.1:${site.port}/`).catch(() => "cut");
  const opening = tunnel(endpoint, `127.0.0.1:${site.port}`).catch(() => "cut");
  for (const _ of [1, 2]) proxy[Symbol.dispose]();
  await left;
  expect(await asked).toBe("cut");
  expect(await opening).toBe("cut");
  await expect(ask(endpoint, `http://127.0.0.1:${site.port}/`)).rejects.toThrow();
});

test("disposal destroys connections to a site that doesn't read", async () => {
  const { proxy, endpoint } = await openEgress(stack);
  const site = stack.use(await openTcp((socket) => socket.pause()));
  const { socket } = await tunnel(endpoint, `127.0.0.1:${site.port}`);
  socket.write(Buffer.alloc(64_000_000));
  let sent = -1;
  await vi.waitFor(
    () => {
      const before = sent;
      sent = proxy.traffic().sent;
      expect(sent).toBe(before);
    },
    { interval: 50 },
  );
  expect(sent).toBeLessThan(60_000_000);
  proxy[Symbol.dispose]();
  // The remaining handles: two listeners, and the site's socket, which the site never reads.
  await expectHandles(handles + 3);
});
