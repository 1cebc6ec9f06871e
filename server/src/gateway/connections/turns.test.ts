import { once } from "node:events";
import { type RequestListener, type Server, createServer } from "node:http";
import { type AddressInfo, type Socket, connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { until } from "../../../test/support/until.ts";
import { serveInTurn } from "./turns.ts";

/** More bytes than the kernel buffers for a client that doesn't read. */
const LARGE = 32 * 2 ** 20;

let server: Server;
let served: string[];
let abandoned: string[];

const answer: RequestListener = ({ url = "" }, response) => {
  served.push(url);
  response.on("close", () => response.writableFinished || abandoned.push(url));
  if (url === "/large") response.end(Buffer.alloc(LARGE));
  else if (url === "/late") setImmediate(() => response.end(url));
  else if (url !== "/never") response.end(url);
};

beforeEach(async () => {
  [served, abandoned] = [[], []];
  server = createServer();
  serveInTurn(server, answer);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});

afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, "close");
});

/** Sends requests in one write without reading the responses. */
async function send(paths: readonly string[], header = ""): Promise<Socket> {
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.on("error", () => {}).pause();
  await once(socket, "connect");
  socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n${header}\r\n`).join(""));
  return socket;
}

function countConnections(): Promise<number> {
  return new Promise((resolve) => server.getConnections((_error, count) => resolve(count)));
}

test("requests that arrive together are answered in order", async () => {
  const socket = await send(["/late", "/b", "/late", "/d"]);
  socket.write("GET /last HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  const answers = await text(socket);
  expect(served).toEqual(["/late", "/b", "/late", "/d", "/last"]);
  expect(answers.match(/(?<=\r\n\r\n)\/[a-z]+/g)).toEqual(served);
});

test("a client that doesn't read receives no further responses until it reads", async () => {
  const socket = await send(["/large", "/large", "/c"]);
  await until(
    () => socket.bytesRead + served.length,
    (count) => count > 0,
  );
  await new Promise(setImmediate);
  expect(served).toEqual(["/large"]);
  let read = 0;
  socket.on("data", ({ length }) => (read += length)).resume();
  await until(
    () => read,
    (bytes) => bytes > 2 * LARGE,
  );
  expect(served).toEqual(["/large", "/large", "/c"]);
  socket.destroy();
});

test.each([
  ["requests", 18, ""],
  ["bytes of requests", 10, `Cookie: ${"x".repeat(8000)}\r\n`],
  ["requests with an unknown expectation", 18, "Expect: x\r\n"],
])("a connection with too many waiting %s is closed without serving them", async (_, count, header) => {
  const socket = await send(
    Array.from({ length: count }, () => "/never"),
    header,
  );
  await once(socket.resume(), "close");
  expect(served).toEqual(["/never"]);
  expect(abandoned).toEqual(["/never"]);
});

test("a connection with 16 waiting requests stays open", async () => {
  const socket = await send(["/late", ...Array.from({ length: 16 }, () => "/a")]);
  await until(
    () => served.length,
    (count) => count === 17,
  );
  expect(await countConnections()).toBe(1);
  socket.destroy();
});

test("waiting requests are not served after their client disconnects", async () => {
  const socket = await send(["/never", "/b"]);
  await until(
    () => served.length,
    (count) => count === 1,
  );
  socket.destroy();
  await until(countConnections, (count) => count === 0);
  expect(served).toEqual(["/never"]);
});
