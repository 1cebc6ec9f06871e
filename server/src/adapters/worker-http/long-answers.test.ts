import type { RequestListener } from "node:http";
import type { Socket } from "node:net";
import { expect, test } from "vitest";
import {
  BY_ID,
  connectTo,
  done,
  NEVER,
  newClient,
  outcomeOf,
  OWNER,
  startHttp,
  UNKNOWN,
} from "../../../test/support/servers/http-worker.ts";
import { until } from "../../../test/support/until.ts";
import { toWire } from "../../domain/wire-values.ts";
import type { WorkerCalls } from "../../ports/cluster/worker-calls.ts";

/** Sends an endless response, as fast as the client reads it. */
function floodWith(chunk: string, head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"): RequestListener {
  return ({ socket }) => {
    const write = (): void => {
      while (!socket.destroyed && socket.write(chunk));
    };
    socket.on("error", () => {}).on("drain", write);
    socket.write(head);
    write();
  };
}

const MIB = 2 ** 20;
const toChunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;
const ENDLESS = floodWith(toChunk("[]".repeat(MIB / 2)));

test.each<[string, RequestListener, (worker: WorkerCalls) => Promise<unknown>, number, string]>([
  ["its result", ENDLESS, (worker) => worker.close(OWNER, BY_ID), MIB, "has more than"],
  ["a picture", ENDLESS, (worker) => worker.takePicture(OWNER, BY_ID, NEVER), 4 * MIB, "has more than"],
  [
    "single bytes",
    floodWith(toChunk("x").repeat(1000)),
    (worker) => worker.takeScreenshot(OWNER, BY_ID, NEVER),
    MIB,
    "arrived in too many chunks",
  ],
  [
    "1xx",
    floodWith("HTTP/1.1 102 Processing\r\n\r\n".repeat(1000), ""),
    (worker) => worker.close(OWNER, BY_ID),
    MIB,
    "began with a 1xx status",
  ],
])("reading stops when a worker sends %s without end", async (_name, answer, call, maxBytes, reason) => {
  const { url, sockets } = await startHttp(answer);
  const outcome = await outcomeOf(call(connectTo(url)));
  expect(outcome).toMatchObject({
    ...UNKNOWN,
    message: expect.stringMatching(`not read to the end, because it ${reason}`),
  });
  // The kernel buffers some bytes that the client never reads.
  expect(sockets[0]?.bytesWritten).toBeLessThan(maxBytes + 8 * MIB);
  await until(
    () => sockets.every(({ destroyed }) => destroyed),
    (areClosed) => areClosed,
  );
});

/** Sends only the first bytes of a picture for each `takePicture` call, and responds fully to other calls. */
function sendStarts(bytes: () => number): RequestListener {
  return (request, response) => {
    if (request.url?.endsWith("/takePicture") !== true) return done(request, response);
    request.resume();
    response.writeHead(200, { "Content-Length": 4 * MIB }).write("x".repeat(bytes()));
  };
}

async function untilSent(sockets: readonly Socket[], bytes: number): Promise<void> {
  await until(
    () => sockets.reduce((sum, { bytesWritten }) => sum + bytesWritten, 0),
    (sent) => sent >= bytes,
  );
}

test("other calls succeed while long responses use up their limit", async () => {
  const { url, sockets } = await startHttp(sendStarts(() => 2 * MIB));
  const over = new AbortController();
  const worker = connectTo(url, { maxArrivingBytes: 4 * MIB });
  const calls = [1, 2].map(() => outcomeOf(worker.takePicture(OWNER, BY_ID, over.signal)));
  await untilSent(sockets, 4 * MIB);
  await worker.ping();
  await worker.acknowledge("br_1");
  expect(sockets.slice(0, 2).map(({ destroyed }) => destroyed)).toEqual([false, false]);
  over.abort(new Error("gone"));
  expect(await Promise.all(calls)).toEqual([over.signal.reason, over.signal.reason]);
});

test("when long responses exceed their limit, the largest response from the worker that sends the most is aborted", async () => {
  const sizes = [MIB, 2 * MIB];
  const bad = await startHttp(sendStarts(() => sizes.shift() ?? 0));
  const good = await startHttp(sendStarts(() => 2.5 * MIB));
  const client = newClient({ maxArrivingBytes: 5 * MIB });
  const over = new AbortController();
  const take = (url: string): Promise<unknown> =>
    outcomeOf(client.at({ id: "worker01", instance: "1", url }).takePicture(OWNER, BY_ID, over.signal));
  const small = take(bad.url);
  await untilSent(bad.sockets, MIB);
  const large = take(bad.url);
  await untilSent(bad.sockets, 3 * MIB);
  const other = take(good.url);
  expect(await large).toMatchObject({
    ...UNKNOWN,
    message: expect.stringContaining(
      "because it was the largest when more than 5242880 bytes of responses were arriving",
    ),
  });
  expect([bad.sockets[0]?.destroyed, good.sockets[0]?.destroyed]).toEqual([false, false]);
  over.abort(new Error("gone"));
  expect(await Promise.all([small, other])).toEqual([over.signal.reason, over.signal.reason]);
});

test("aborted responses don't count towards the limit", async () => {
  const { url, sockets } = await startHttp(sendStarts(() => 2 * MIB));
  const worker = connectTo(url, { maxArrivingBytes: 3 * MIB });
  for (const count of [1, 2, 3]) {
    const over = new AbortController();
    const call = outcomeOf(worker.takePicture(OWNER, BY_ID, over.signal));
    await untilSent(sockets, count * 2 * MIB);
    over.abort(new Error("gone"));
    expect(await call).toBe(over.signal.reason);
  }
});

test("a large picture is accepted, but other responses of that size aren't parsed", async () => {
  const picture = { type: "image/png", bytes: new Uint8Array(MIB) };
  const long = { ...picture, bytes: new Uint8Array(), others: Array.from({ length: MIB / 2 }, () => 0) };
  const answers = [picture, long].map((result) => JSON.stringify(toWire({ is: "done", result })));
  const { url } = await startHttp((request, response) => {
    request.resume();
    response.end(answers.shift());
  });
  const worker = connectTo(url);
  expect(await worker.takeScreenshot(OWNER, BY_ID, NEVER)).toEqual(picture);
  expect(await outcomeOf(worker.takeScreenshot(OWNER, BY_ID, NEVER))).toMatchObject({
    ...UNKNOWN,
    cause: { message: "The response is too long, excluding its picture." },
  });
});
