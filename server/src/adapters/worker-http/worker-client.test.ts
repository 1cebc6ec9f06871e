import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:https";
import { afterEach, expect, test } from "vitest";
import { CERTIFICATE, KEY } from "../../../../clients/tunnel/test/certificate.fixtures.ts";
import { FakeClock } from "../../../test/fakes/fake-clock.ts";
import { until } from "../../../test/support/until.ts";
import { systemClock } from "../system-clock/system-clock.ts";
import { toWire } from "../../domain/wire-values.ts";
import { CallGuard } from "../../api/call-guard.ts";
import { INTRODUCE } from "../../ports/call-proofs.ts";
import { CALL_PATH } from "../../ports/worker-call-rules.ts";
import type { WorkerCalls } from "../../ports/worker-calls.ts";
import { callProofs } from "./call-proofs.ts";
import { newWorkerClient } from "./worker-client.ts";

const [ID, SECRET] = ["worker01", "s".repeat(32)];

let resources = new AsyncDisposableStack();
afterEach(async () => {
  await resources.disposeAsync();
  resources = new AsyncDisposableStack();
});

/** Listens on a port of its own. Counts the connections, and resets those that are left at the end. */
async function listen(server: Server): Promise<{ readonly port: number; readonly sockets: Socket[] }> {
  const sockets: Socket[] = [];
  server.on("connection", (socket: Socket) => sockets.push(socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  resources.defer(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return { port: (server.address() as AddressInfo).port, sockets };
}

/** The connections are those of calls. */
async function startHttp(answer: RequestListener) {
  const sockets: Socket[] = [];
  const { port } = await listen(
    createServer(
      afterIntroduction((request, response) => {
        if (!sockets.includes(request.socket)) sockets.push(request.socket);
        answer(request, response);
      }),
    ),
  );
  return { url: `http://127.0.0.1:${port}`, sockets };
}

/** Answers calls, after it has proven that it is the worker. */
function afterIntroduction(answer: RequestListener): RequestListener {
  return (request, response) => {
    const [path = "", call] = request.url?.split(CALL_PATH) ?? [];
    if (call !== INTRODUCE) return answer(request, response);
    const worker = { id: ID, url: `http://${request.headers.host}${path}` };
    const guard = new CallGuard({ secrets: [SECRET], worker, proofs: callProofs, clock: systemClock });
    response.end(JSON.stringify(guard.introduce(request.headers.authorization)));
  };
}

const done: RequestListener = (request, response) => {
  request.resume().once("end", () => response.end('{"is":"done"}'));
};

function connectTo(
  url: string,
  clock: FakeClock | typeof systemClock = systemClock,
  limits: { readonly maxArrivingBytes?: number } = {},
): WorkerCalls {
  const client = newWorkerClient({ secret: SECRET, clock, readRequestId: () => undefined, ...limits });
  return resources.use(client).at({ id: ID, url });
}

const [OWNER, BY_ID] = [{ id: "ac_1" }, { id: "br_1" }];
const NEVER = new AbortController().signal;

/** An Open request; what it asks for doesn't matter here. */
function open(worker: WorkerCalls, maxMs = 1000): Promise<unknown> {
  return worker.openPlaced({ browserId: "br_1", maxMs } as Parameters<WorkerCalls["openPlaced"]>[0], NEVER);
}

async function outcomeOf(call: Promise<unknown>): Promise<unknown> {
  return call.catch((error: unknown) => error);
}

const NOT_DONE = { name: "WorkerUnreachable", isOutcomeUnknown: false };
const UNKNOWN = { name: "WorkerUnreachable", isOutcomeUnknown: true };

test("without a connection, the call has no effect", async () => {
  const { port } = await listen(createTcpServer());
  await resources.disposeAsync();
  resources = new AsyncDisposableStack();
  const clock = new FakeClock();
  expect(await outcomeOf(open(connectTo(`http://127.0.0.1:${port}`, clock)))).toMatchObject({
    ...NOT_DONE,
    message: `The worker at 127.0.0.1:${port} can't be reached for the call introduce.`,
    cause: { code: "ECONNREFUSED" },
  });
  await until(
    () => clock.pending,
    (timers) => timers === 0,
    1000,
  );
  expect(await outcomeOf(open(connectTo("http://worker.invalid")))).toMatchObject(NOT_DONE);
});

test("a worker whose certificate is not trusted, or that doesn't speak TLS, gets no call", async () => {
  let requests = 0;
  const secure = await listen(createTlsServer({ key: KEY, cert: CERTIFICATE }, () => (requests += 1)));
  const plain = await startHttp(() => (requests += 1));
  for (const url of [`https://127.0.0.1:${secure.port}`, plain.url.replace("http:", "https:")]) {
    expect(await outcomeOf(connectTo(url).close(OWNER, BY_ID))).toMatchObject(NOT_DONE);
  }
  expect(requests).toBe(0);
});

test("connecting may take 2 s, with TLS", async () => {
  const { port, sockets } = await listen(createTcpServer());
  const clock = new FakeClock();
  const call = outcomeOf(connectTo(`https://127.0.0.1:${port}`, clock).close(OWNER, BY_ID));
  await until(
    () => sockets.length,
    (count) => count === 1,
  );
  await clock.pass(1999);
  expect(clock.pending).toBe(2);
  await clock.pass(1);
  expect(await call).toMatchObject({ ...NOT_DONE, cause: { message: "There was no connection after 2000 ms." } });
  expect(clock.pending).toBe(0);
});

test.each<[string, RequestListener]>([
  ["before the answer", (request) => request.socket.destroy()],
  [
    "in the answer",
    (_, response) => response.writeHead(200, { "Content-Length": 9 }).write("{", () => response.destroy()),
  ],
  ["by a reset", (request) => request.socket.resetAndDestroy()],
])("after a connection is lost %s, the outcome is unknown, and the call isn't repeated", async (_name, answer) => {
  let requests = 0;
  const { url } = await startHttp((request, response) => {
    requests += 1;
    answer(request, response);
  });
  const worker = connectTo(url);
  expect(await outcomeOf(open(worker))).toMatchObject({ ...UNKNOWN, message: expect.stringContaining("openPlaced") });
  expect(await outcomeOf(worker.close(OWNER, BY_ID))).toMatchObject(UNKNOWN);
  expect(requests).toBe(2);
});

test.each<[string, number, (worker: WorkerCalls) => Promise<unknown>]>([
  ["hasDesktop", 10_000, (worker) => worker.hasDesktop("k")],
  ["close", 30_000, (worker) => worker.close(OWNER, BY_ID)],
  ["wait", 65_000, (worker) => worker.wait(OWNER, BY_ID, 60_000, NEVER)],
  ["openPlaced", 35_000, (worker) => open(worker, 30_000)],
  ["takeScreenshot", 25_000, (worker) => worker.takeScreenshot(OWNER, BY_ID, NEVER)],
])("%s has %d ms for its answer; after that, the outcome is unknown", async (name, ms, call) => {
  let requests = 0;
  const { url, sockets } = await startHttp(() => (requests += 1));
  const clock = new FakeClock();
  const outcome = outcomeOf(call(connectTo(url, clock)));
  await until(
    () => requests,
    (count) => count === 1,
  );
  await clock.pass(ms - 1);
  expect(clock.pending).toBe(1);
  await clock.pass(1);
  expect(await outcome).toMatchObject({ ...UNKNOWN, message: expect.stringContaining(`${name} within ${ms} ms`) });
  await until(
    () => sockets[0]?.destroyed,
    (isClosed) => isClosed === true,
  );
});

test("an idle connection that the worker has closed makes no call fail", async () => {
  let isClosing = false;
  const { url, sockets } = await startHttp((request, response) => {
    // The worker closes its idle connections while the next request is on its way.
    if (isClosing && request.socket === sockets[0]) request.socket.resetAndDestroy();
    else done(request, response);
  });
  const worker = connectTo(url);
  await worker.close(OWNER, BY_ID);
  await worker.close(OWNER, BY_ID);
  expect(sockets).toHaveLength(1);
  isClosing = true;
  await open(worker);
  expect(sockets).toHaveLength(2);
  await worker.close(OWNER, BY_ID);
  expect(sockets).toHaveLength(3);
});

test("a call is repeated once; if the worker is gone by then, the outcome is unknown", async () => {
  const server = createServer(
    afterIntroduction((request, response) => {
      if (server.listening) return done(request, response);
      request.socket.resetAndDestroy();
    }),
  );
  const { port } = await listen(server);
  const worker = connectTo(`http://127.0.0.1:${port}`);
  await worker.close(OWNER, BY_ID);
  server.closeIdleConnections = () => {};
  server.close();
  expect(await outcomeOf(worker.close(OWNER, BY_ID))).toMatchObject({ ...UNKNOWN, cause: { code: "ECONNREFUSED" } });
});

test.each<[number, string, object]>([
  [401, "{}", { ...NOT_DONE, message: expect.stringContaining("RBS_CLUSTER_SECRET") }],
  [
    404,
    "{}",
    { ...NOT_DONE, message: expect.stringMatching(/answered close with 404. Check that its RBS_WORKER_URL leads/) },
  ],
  [400, "{}", NOT_DONE],
  [500, "{}", UNKNOWN],
  [502, "<html>", UNKNOWN],
  [302, "", UNKNOWN],
  [200, "<html>", UNKNOWN],
  [200, "null", UNKNOWN],
  [200, "{}", UNKNOWN],
  [200, '{"is":"failed","failure":{"$date":"soon"}}', UNKNOWN],
])("the answer %d with %s is an error", async (status, text, expected) => {
  const { url } = await startHttp((_, response) => response.writeHead(status, { Location: "/x" }).end(text));
  expect(await outcomeOf(connectTo(url).close(OWNER, BY_ID))).toMatchObject(expected);
});

/** Answers without end, as fast as the other side reads. */
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

test.each<[string, RequestListener, (worker: WorkerCalls) => Promise<unknown>, number]>([
  ["its result", ENDLESS, (worker) => worker.close(OWNER, BY_ID), MIB],
  ["a picture", ENDLESS, (worker) => worker.takePicture(OWNER, BY_ID, NEVER), 4 * MIB],
  ["single bytes", floodWith(toChunk("x").repeat(1000)), (worker) => worker.takeScreenshot(OWNER, BY_ID, NEVER), MIB],
  ["1xx", floodWith("HTTP/1.1 102 Processing\r\n\r\n".repeat(1000), ""), (worker) => worker.close(OWNER, BY_ID), MIB],
])("a worker that sends %s without end isn't read any further", async (_name, answer, call, maxBytes) => {
  const { url, sockets } = await startHttp(answer);
  const outcome = await outcomeOf(call(connectTo(url)));
  expect(outcome).toMatchObject({ ...UNKNOWN, message: expect.stringContaining("sent too much as its answer") });
  // The kernel has taken a part.
  expect(sockets[0]?.bytesWritten).toBeLessThan(maxBytes + 8 * MIB);
  await until(
    () => sockets.every(({ destroyed }) => destroyed),
    (areClosed) => areClosed,
  );
});

test("answers that arrive at the same time have a limit together, and later ones arrive", async () => {
  const { url, sockets } = await startHttp((request, response) => {
    request.resume();
    response.writeHead(200, { "Content-Length": 4 * MIB }).write("x".repeat(2 * MIB));
  });
  const over = new AbortController();
  const worker = connectTo(url, systemClock, { maxArrivingBytes: 5 * MIB });
  const calls = [1, 2, 3].map(() => outcomeOf(worker.takePicture(OWNER, BY_ID, over.signal)));
  expect(await Promise.race(calls)).toMatchObject({
    ...UNKNOWN,
    cause: { message: "All answers together have too many bytes." },
  });
  await until(
    () => sockets.filter(({ destroyed }) => !destroyed).length,
    (left) => left === 2,
  );
  over.abort(new Error("gone"));
  await Promise.all(calls);
  const again = new AbortController();
  const next = outcomeOf(worker.takePicture(OWNER, BY_ID, again.signal));
  await until(
    () => sockets.at(-1)?.bytesWritten ?? 0,
    (bytes) => sockets.length === 4 && bytes >= 2 * MIB,
  );
  again.abort(new Error("gone"));
  expect(await next).toBe(again.signal.reason);
});

test("a large picture arrives, and the same number of other bytes is not parsed", async () => {
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
    cause: { message: "It is too long without its picture." },
  });
});

test("a worker's URL can have a path", async () => {
  let path: string | undefined;
  const { url } = await startHttp((request, response) => {
    path = request.url;
    done(request, response);
  });
  await connectTo(`${url}/eu/`).acknowledge("br_1");
  expect(path).toBe("/eu/cluster/v1/acknowledge");
});

test("disposing ends idle connections", async () => {
  const { url, sockets } = await startHttp(done);
  const client = newWorkerClient({ secret: SECRET, clock: systemClock, readRequestId: () => undefined });
  await client.at({ id: ID, url }).acknowledge("br_1");
  expect(sockets.map(({ destroyed }) => destroyed)).toEqual([false]);
  await client[Symbol.asyncDispose]();
  await until(
    () => sockets[0]?.destroyed,
    (isClosed) => isClosed === true,
  );
});
