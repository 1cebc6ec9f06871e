import { once } from "node:events";
import { request as newRequest } from "node:http";
import { type Socket, connect } from "node:net";
import { expect, test } from "vitest";
import {
  PUBLIC_RULES,
  expectNothingHeldAfterEach,
  openEgress,
  openTcp,
} from "../../../test/support/proxies/egress-rig.ts";

const KB = 1024;
let stack: AsyncDisposableStack;

expectNothingHeldAfterEach((made) => (stack = made));

/** The response to an upload, sent as soon as the first bytes arrive. */
const EARLY = "HTTP/1.1 413 Too Large\r\nContent-Length: 9\r\n\r\ntoo large";

test.each([
  ["reads on", (socket: Socket) => void socket.write(EARLY)],
  ["half-closes the connection and keeps reading", (socket: Socket) => void socket.end(EARLY)],
  ["closes the connection", (socket: Socket) => void socket.end(EARLY, () => socket.destroy())],
  ["resets the connection", (socket: Socket) => void socket.write(EARLY, () => socket.resetAndDestroy())],
])(
  "an early response to an upload reaches the browser, and the whole upload is read, if the site %s",
  async (_what, answer) => {
    const { endpoint } = await openEgress(stack);
    const site = stack.use(
      await openTcp((socket) => {
        socket.once("data", () => answer(socket));
        socket.resume();
      }),
    );
    for (let round = 0; round < 5; round += 1) {
      const sent = await upload(endpoint, `http://127.0.0.1:${site.port}/`, 4 * KB * KB);
      expect(sent).toEqual({ status: 413, body: "too large" });
    }
  },
);

test("a refused upload is read in full, and its connection accepts the next request", async () => {
  const { endpoint } = await openEgress(stack, { rules: PUBLIC_RULES });
  const answer = await upload(endpoint, "http://127.0.0.1:9/", 4 * KB * KB);
  expect(answer.status).toBe(403);
});

test("an upload continues after an early response and ends when the browser's connection closes", async () => {
  const { endpoint } = await openEgress(stack);
  let [received, left] = [0, 0];
  const site = stack.use(
    await openTcp((socket) => {
      socket.once("data", () => socket.write(EARLY));
      socket.on("data", ({ length }) => (received += length)).on("end", () => (left += 1));
    }),
  );
  const size = 4 * KB * KB;
  await upload(endpoint, `http://127.0.0.1:${site.port}/`, size);
  await expect.poll(() => [received > size, left]).toEqual([true, 1]);
  const request = newRequest({
    ...endpoint,
    method: "POST",
    path: `http://127.0.0.1:${site.port}/`,
    headers: { "content-length": size },
    agent: false,
  });
  request.on("error", () => undefined);
  request.write("first");
  await once(request, "response");
  request.destroy();
  await expect.poll(() => left).toBe(2);
});

/** Sends a request as browsers do: reads the response only after sending the whole body. */
async function upload(
  endpoint: { readonly host: string; readonly port: number },
  url: string,
  bytes: number,
): Promise<{ readonly status: number; readonly body: string }> {
  const socket = connect(endpoint.port, endpoint.host).pause();
  const head = `POST ${url} HTTP/1.1\r\nHost: ${URL.parse(url)?.host}\r\nContent-Length: ${bytes}\r\n\r\n`;
  const send = (text: string | Buffer): Promise<void> =>
    new Promise((resolve, reject) => void socket.write(text, (error) => (error ? reject(error) : resolve())));
  await send(head);
  await send(Buffer.alloc(bytes));
  await send("GET http://127.0.0.1:1/ HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n");
  const text = String(Buffer.concat((await socket.toArray()) as Buffer[]));
  const [, status, body] = /^HTTP\/1.1 (\d+) [^]*?\r\n\r\n([^]*?)HTTP\/1.1 /.exec(text) ?? [];
  return { status: Number(status), body: body ?? "" };
}
