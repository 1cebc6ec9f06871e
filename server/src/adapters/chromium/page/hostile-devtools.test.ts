import { once } from "node:events";
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import { type AddressInfo, type Socket, connect } from "node:net";
import type { Writable } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import { expect, onTestFinished, test } from "vitest";
import type { Threads } from "../../../ports/threads.ts";
import { systemClock } from "../../node/system-clock.ts";
import { WorkerThreads } from "../../node/worker-threads.ts";
import { PageClosed, withPage } from "./page-session.ts";
import { FULL, NoPage, SMALL, captureFrontPage } from "./screencast.ts";

const MIB = 2 ** 20;
const JPEG = Buffer.from([0xff, 0xd8, 1, 2, 3]);
const FRAME = JSON.stringify({ method: "Page.screencastFrame", params: { data: JPEG.toString("base64") } });
/** Extra bytes allowed for one socket read and the kernel's buffers. */
const SLACK = MIB;

type Hostile = {
  /** Responds to the request for the list of pages. */
  readonly list?: (response: ServerResponse) => void;
  /** Responds to the upgrade request in place of the WebSocket server. */
  readonly upgrade?: (socket: Socket, request: IncomingMessage) => void;
  /** Receives the page's connection. */
  readonly page?: (page: WebSocket) => void;
};

/** Starts a server that stands in for a browser's DevTools. */
async function startHostile({ list, upgrade, page }: Hostile) {
  const answerList = list ?? ((response) => void response.end(JSON.stringify([{ id: "1", type: "page", url: "" }])));
  const server = createServer((_, response) => answerList(response));
  const pages = new WebSocketServer({ noServer: true, autoPong: false });
  server.on("upgrade", (request, socket, head) => {
    socket.on("error", () => {});
    if (upgrade !== undefined) return upgrade(socket as Socket, request);
    pages.handleUpgrade(request, socket, head, (each) => page?.(each.on("error", () => {})));
  });
  server.on("clientError", () => {});
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const sockets: Socket[] = [];
  onTestFinished(async () => {
    expect(sockets.filter(({ destroyed }) => !destroyed)).toEqual([]);
    server.closeAllConnections();
    for (const each of pages.clients) each.terminate();
    await new Promise((resolve) => server.close(resolve));
  });
  const workers = new WorkerThreads({ atOnce: 1, clock: systemClock });
  let started = 0;
  const threads: Threads = {
    run(...given) {
      started += 1;
      return workers.run(...given);
    },
  };
  const over = AbortSignal.timeout(20_000);
  return {
    connect: async (): Promise<Socket> => {
      const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
      sockets.push(socket);
      await once(socket, "connect");
      return socket;
    },
    capture(screencast = SMALL) {
      return captureFrontPage(this.connect, screencast, threads, over);
    },
    get threadsStarted() {
      return started;
    },
    /** Returns the number of bytes that this process has read. */
    countBytes: (): number => sockets.reduce((sum, { bytesRead }) => sum + bytesRead, 0),
  };
}

/** Writes endlessly, as fast as the other end reads. */
function flood(socket: Writable, chunk: Buffer): void {
  const write = (): void => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on("error", () => {}).on("drain", write);
  write();
}

const rawOf = (page: WebSocket): Socket => Reflect.get(page, "_socket") as Socket;

/** Returns a WebSocket frame as sent by a server. The payload may be incomplete. */
function toFrame(first: number, length: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(10);
  head.writeUInt16BE((first << 8) | 127);
  head.writeUInt32BE(length, 6);
  return Buffer.concat([head, payload]);
}

const [TEXT, PART, PING] = [0x81, 0x00, 0x89];
const NOISE = Buffer.alloc(MIB, '{"id":7,"result":');

test.each<[string, Hostile]>([
  ["an endless list of pages", { list: (response) => flood(response.setHeader("Content-Length", 2 ** 30), NOISE) }],
  [
    "endless responses to the upgrade request",
    { upgrade: (socket) => flood(socket, Buffer.from("HTTP/1.1 102 Processing\r\n\r\n".repeat(1000))) },
  ],
  ["messages without end", { page: (page) => flood(rawOf(page), toFrame(TEXT, NOISE.length, NOISE)) }],
  ["a message that is too long", { page: (page) => flood(rawOf(page), toFrame(TEXT, 60 * MIB, NOISE)) }],
  [
    "a message with endless fragments",
    {
      page: (page) => {
        rawOf(page).write(toFrame(TEXT & 0x0f, 1, Buffer.from("x")));
        flood(rawOf(page), toFrame(PART, NOISE.length, NOISE));
      },
    },
  ],
  ["endless empty messages", { page: (page) => flood(rawOf(page), Buffer.alloc(64 * 1024, Buffer.from([TEXT, 0]))) }],
  ["pings without end", { page: (page) => flood(rawOf(page), Buffer.alloc(64 * 1024, Buffer.from([PING, 0]))) }],
  [
    "endless messages from every page",
    {
      list: (response) =>
        void response.end(
          JSON.stringify(Array.from({ length: 100 }, (_, id) => ({ id: `${id}`, type: "page", url: "" }))),
        ),
      page: (page) => page.send(NOISE, () => page.close()),
    },
  ],
])("if a browser sends %s, capturing a thumbnail fails, and the remaining data isn't read", async (_, hostile) => {
  const browser = await startHostile(hostile);
  await expect(browser.capture()).rejects.toThrow(/more than \d+ (?:bytes|messages)/);
  expect(browser.countBytes()).toBeLessThan(SMALL.maxBytes + SLACK);
});

test("a screenshot has a size limit, like a thumbnail", async () => {
  const browser = await startHostile({ page: (page) => flood(rawOf(page), toFrame(TEXT, NOISE.length, NOISE)) });
  await expect(browser.capture(FULL)).rejects.toThrow(/bytes/);
  expect(browser.countBytes()).toBeLessThan(FULL.maxBytes + SLACK);
});

test("messages that aren't part of a picture aren't parsed", async () => {
  const others = ['{"id":77,"result":{', '{"method":"Network.dataReceived","params":{', "[", ""];
  const browser = await startHostile({
    page(page) {
      for (const other of others) page.send(other);
      page.send(FRAME);
    },
  });
  expect(Buffer.from((await browser.capture()).bytes)).toEqual(JPEG);
});

test("a response to a command has a size limit", async () => {
  const browser = await startHostile({
    page: (page) =>
      page.on("message", (data: Buffer) => {
        const { id } = JSON.parse(data.toString()) as { readonly id: number };
        page.send(JSON.stringify({ id, result: { text: "x".repeat(MIB) } }));
      }),
  });
  const asking = withPage("1", browser.connect, AbortSignal.timeout(20_000), {}, ({ command }) => command("Page.get"));
  await expect(asking).rejects.toThrow("The browser's answer to Page.get has 1048");
});

test.each([
  ["isn't there", (socket: Socket) => socket.end("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")],
  ["moved", (socket: Socket) => socket.end("HTTP/1.1 302 Found\r\nLocation: ws://127.0.0.1:1/\r\n\r\n")],
])("a page that %s counts as closed", async (_, upgrade) => {
  const browser = await startHostile({ upgrade: (socket) => void upgrade(socket) });
  const opening = withPage("1", browser.connect, AbortSignal.timeout(20_000), {}, async () => {});
  await expect(opening).rejects.toBeInstanceOf(PageClosed);
});

test("a worker thread reads a large frame, but not a long list", async () => {
  const large = Buffer.concat([JPEG, Buffer.alloc(6 * MIB)]);
  const browser = await startHostile({
    list: (response) => void response.end(JSON.stringify([{ id: "1", type: "page", url: "x".repeat(MIB) }])),
    page: (page) => page.send(FRAME.replace(JPEG.toString("base64"), large.toString("base64"))),
  });
  expect(large.equals((await browser.capture(FULL)).bytes)).toBe(true);
  expect(browser.threadsStarted).toBe(1);
});

test.each(["\ud800", { a: 1 }, "../version", "x".repeat(65), ""])("a page with the id %j is left out", async (id) => {
  const pages = [id, "1"].map((each) => ({ id: each, type: "page", url: "" }));
  const asked: unknown[] = [];
  const browser = await startHostile({
    list: (response) => void response.end(JSON.stringify(pages)),
    upgrade(socket, { url }) {
      asked.push(url);
      socket.end("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
    },
  });
  await expect(browser.capture()).rejects.toBeInstanceOf(NoPage);
  expect(asked).toEqual(["/devtools/page/1"]);
});

test("a session that can't be opened leaves no connection open", async () => {
  const browser = await startHostile({});
  const opening = withPage("\ud800", browser.connect, AbortSignal.timeout(20_000), {}, async () => {});
  await expect(opening).rejects.toThrow(URIError);
});
