import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { createServer as createTcpServer } from "node:net";
import { expect, test } from "vitest";
import { CERTIFICATE, KEY } from "../../../../clients/tunnel/test/certificate.fixtures.ts";
import { FakeClock } from "../../../test/fakes/fake-clock.ts";
import {
  afterIntroduction,
  BY_ID,
  connectTo,
  done,
  listen,
  NEVER,
  newClient,
  NOT_DONE,
  outcomeOf,
  OWNER,
  startHttp,
  UNKNOWN,
} from "../../../test/support/servers/http-worker.ts";
import { until } from "../../../test/support/until.ts";
import type { WorkerCalls } from "../../ports/cluster/worker-calls.ts";

/** Sends an Open request with arbitrary options. */
function open(worker: WorkerCalls, maxMs = 1000): Promise<unknown> {
  return worker.openPlaced({ browserId: "br_1", maxMs } as Parameters<WorkerCalls["openPlaced"]>[0], NEVER);
}

test("a call that can't connect has no effect", async () => {
  const { port, close } = await listen(createTcpServer());
  await close();
  const clock = new FakeClock();
  expect(await outcomeOf(open(connectTo(`http://127.0.0.1:${port}`, { clock })))).toMatchObject({
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

test("a worker without TLS or a trusted certificate isn't called", async () => {
  let requests = 0;
  const secure = await listen(createTlsServer({ key: KEY, cert: CERTIFICATE }, () => (requests += 1)));
  const plain = await startHttp(() => (requests += 1));
  for (const url of [`https://127.0.0.1:${secure.port}`, plain.url.replace("http:", "https:")]) {
    expect(await outcomeOf(connectTo(url).close(OWNER, BY_ID))).toMatchObject(NOT_DONE);
  }
  expect(requests).toBe(0);
});

test("connecting, including TLS, times out after 2 s", async () => {
  const { port, sockets } = await listen(createTcpServer());
  const clock = new FakeClock();
  const call = outcomeOf(connectTo(`https://127.0.0.1:${port}`, { clock }).close(OWNER, BY_ID));
  await until(
    () => sockets.length,
    (count) => count === 1,
  );
  await clock.pass(1999);
  expect(clock.pending).toBe(3);
  await clock.pass(1);
  expect(await call).toMatchObject({
    ...NOT_DONE,
    cause: { message: "No connection was established within 2000 ms." },
  });
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
  const outcome = outcomeOf(call(connectTo(url, { clock })));
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

test("a call doesn't fail if the worker has closed its idle connection", async () => {
  let isClosing = false;
  const { url, sockets } = await startHttp((request, response) => {
    // The worker closes idle connections while the next request is being sent.
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

test("a call is repeated once; if the worker is gone then, the outcome is unknown", async () => {
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
    { ...NOT_DONE, message: expect.stringMatching(/responded to close with 404. Check that its RBS_WORKER_URL/) },
  ],
  [400, "{}", NOT_DONE],
  [500, "{}", UNKNOWN],
  [502, "<html>", UNKNOWN],
  [302, "", UNKNOWN],
  [200, "<html>", UNKNOWN],
  [200, "null", UNKNOWN],
  [200, "{}", UNKNOWN],
  [200, '{"is":"failed","failure":{"$date":"soon"}}', UNKNOWN],
])("a response with status %d and body %s is an error", async (status, text, expected) => {
  const { url } = await startHttp((_, response) => response.writeHead(status, { Location: "/x" }).end(text));
  expect(await outcomeOf(connectTo(url).close(OWNER, BY_ID))).toMatchObject(expected);
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

test("disposing closes idle connections", async () => {
  const { url, sockets } = await startHttp(done);
  const client = newClient();
  await client.at({ id: "worker01", instance: "1", url }).acknowledge("br_1");
  expect(sockets.map(({ destroyed }) => destroyed)).toEqual([false]);
  await client[Symbol.asyncDispose]();
  await until(
    () => sockets[0]?.destroyed,
    (isClosed) => isClosed === true,
  );
});
