import { once } from "node:events";
import { type Socket, connect } from "node:net";
import { expect, test } from "vitest";
import {
  ask,
  expectNothingHeldAfterEach,
  openEgress,
  openSite,
  openTcp,
} from "../../../test/support/proxies/egress-rig.ts";
import { LONG_HEADS } from "./heads.ts";

const KB = 1024;
const LONG = "x".repeat(4 * KB * KB);
let stack: AsyncDisposableStack;

expectNothingHeldAfterEach((made) => (stack = made));

test.each([
  ["an address", 1900 * KB, (text: string) => ({ path: `/?${text}` })],
  ["cookies", 700 * KB, (text: string) => ({ headers: { cookie: text } })],
  ["a header", 200 * KB, (text: string) => ({ headers: { "x-long": text } })],
])("%s of %d bytes reaches the site", async (_what, bytes, toRequest) => {
  const { endpoint } = await openEgress(stack);
  const site = stack.use(
    await openSite(({ url = "", headers }, response) => {
      response.end(`${url.length + String(headers["cookie"] ?? headers["x-long"] ?? "").length}`);
    }),
  );
  const { path = "", headers = {} } = { ...toRequest("x".repeat(bytes)) } as { path?: string; headers?: object };
  const { body } = await ask(endpoint, `http://127.0.0.1:${site.port}${path}`, { headers: { ...headers } });
  expect(Number(body.toString())).toBeGreaterThanOrEqual(bytes);
});

test.each([
  ["one long header", 1, 250 * KB],
  ["many headers", 250, KB],
  ["a very large number of short headers", 3000, 4],
])("a response with %s arrives complete", async (_what, count, bytes) => {
  const { endpoint } = await openEgress(stack);
  const value = "v".repeat(bytes);
  const head = Array.from({ length: count }, (_, at) => `X-${at}: ${value}\r\n`).join("");
  const site = stack.use(
    await openTcp((socket) => {
      socket.once("data", () => socket.end(`HTTP/1.1 200 OK\r\n${head}Content-Length: 4\r\n\r\nbody`));
    }),
  );
  const { status, headers, body } = await ask(endpoint, `http://127.0.0.1:${site.port}/`);
  expect([status, headers["x-0"], headers[`x-${count - 1}`], String(body)]).toEqual([200, value, value, "body"]);
});

test("a head that is too long is refused", async () => {
  const { endpoint } = await openEgress(stack);
  const site = stack.use(await openSite((_request, response) => response.setHeader("x-long", LONG).end()));
  const url = `http://127.0.0.1:${site.port}/`;
  const refused = ask(endpoint, url, { headers: { "x-long": LONG } }).catch(() => ({ status: 431 }));
  expect((await refused).status).toBe(431);
  expect((await ask(endpoint, url)).status).toBe(599);
});

test("the number of a browser's connections with long heads is limited, not counting tunnels", async () => {
  const { endpoint } = await openEgress(stack);
  const site = stack.use(await openSite((_request, response) => response.end()));
  const askLong = async (): Promise<number> => {
    const { status } = await ask(endpoint, `http://127.0.0.1:${site.port}/?${"x".repeat(100 * KB)}`);
    return status;
  };
  const open = async (): Promise<Socket> => {
    const socket = stack.adopt(connect(endpoint.port, endpoint.host), (each) => void each.destroy());
    await once(socket, "connect");
    return socket;
  };
  const sockets = await Promise.all(Array.from({ length: LONG_HEADS }, open));
  await expect.poll(askLong).toBe(431);
  sockets[0]?.destroy();
  await expect.poll(askLong).toBe(200);
  await open();
  await expect.poll(askLong).toBe(431);
  sockets[1]?.write(`CONNECT 127.0.0.1:${site.port} HTTP/1.1\r\nHost: x\r\n\r\n`);
  await expect.poll(askLong).toBe(200);
});

test("a connection with pipelined requests is closed", async () => {
  const { endpoint } = await openEgress(stack);
  let asked = 0;
  const site = stack.use(await openSite(() => (asked += 1)));
  const socket = stack.adopt(connect(endpoint.port, endpoint.host), (each) => void each.destroy());
  socket.on("error", () => undefined);
  socket.write(`GET http://127.0.0.1:${site.port}/ HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(100));
  await once(socket, "close");
  expect(asked).toBeLessThan(3);
});
