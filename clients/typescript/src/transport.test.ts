import { once } from "node:events";
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import { setImmediate } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { InvalidAnswerError } from "./remote-browser-error.ts";
import { readSettings } from "./settings.ts";
import { createSend } from "./transport.ts";

let close: (() => Promise<void>) | undefined;

afterEach(async () => {
  await close?.();
  close = undefined;
});

/** Starts a server with the given handler, and returns a function that sends requests to the server. */
async function openServer(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(answer);
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  };
  const { port } = server.address() as { port: number };
  return createSend(readSettings({ url: `http://127.0.0.1:${port}`, token: "t" }));
}

test("a redirect is returned instead of followed", async () => {
  const paths: (string | undefined)[] = [];
  const send = await openServer((request, response) => {
    paths.push(request.url);
    response.writeHead(302, { Location: "/elsewhere" }).end();
  });
  const { response } = await send("getBrowsers", undefined, new AbortController().signal);
  expect(response.status).toBe(302);
  expect(paths).toStrictEqual(["/api/v1/Browser/Get"]);
});

test("the client stops reading an endless body at 64 MiB, and closes the connection", async () => {
  let left: Promise<unknown> | undefined;
  const send = await openServer((_request, response) => {
    left = once(response, "close");
    const piece = Buffer.alloc(2 ** 20, " ");
    const write = (): void => {
      while (response.write(piece));
      response.once("drain", write);
    };
    write();
  });
  const sent = send("getBrowsers", undefined, new AbortController().signal);
  await expect(sent).rejects.toThrow(InvalidAnswerError);
  await left;
});

test("each request uses a new connection", async () => {
  const ports = new Set<number | undefined>();
  const send = await openServer((request, response) => {
    ports.add(request.socket.remotePort);
    response.end("{}");
  });
  for (let sent = 1; sent <= 3; sent++) {
    await send("openBrowser", "{}", new AbortController().signal);
    await setImmediate();
    expect(ports.size).toBe(sent);
  }
});

test("aborting the signal also stops reading a body", async () => {
  const stop = new AbortController();
  const send = await openServer((_request, response) => {
    response.writeHead(200, { "Content-Length": 100 });
    response.write("half", () => stop.abort(new Error("enough")));
  });
  await expect(send("getBrowsers", undefined, stop.signal)).rejects.toThrow("enough");
});
