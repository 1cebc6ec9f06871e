import { createServer } from "node:http";
import { createServer as createTcpServer } from "node:net";
import { expect, test } from "vitest";
import { FakeClock } from "../../../test/fakes/fake-clock.ts";
import {
  BY_ID,
  connectTo,
  done,
  introduce,
  isIntroduction,
  listen,
  NEVER,
  newClient,
  NOT_DONE,
  outcomeOf,
  OWNER,
} from "../../../test/support/servers/http-worker.ts";
import { until } from "../../../test/support/until.ts";

/**
 * Starts a worker that counts introductions. While `isNew` returns true, the worker rejects proofs, as after a restart.
 */
async function startCounting(isNew: () => boolean = () => false) {
  let introductions = 0;
  const server = createServer((request, response) => {
    if (!isIntroduction(request.url)) {
      if (isNew()) return void response.writeHead(401).end("{}");
      return done(request, response);
    }
    introductions += 1;
    introduce(request, response);
  });
  const { port } = await listen(server);
  return { url: `http://127.0.0.1:${port}`, count: () => introductions };
}

/** Starts a server that accepts connections but never responds. */
async function startSilent() {
  const { port, sockets } = await listen(createTcpServer((socket) => socket.on("error", () => {}).resume()));
  const untilConnected = (): Promise<unknown> =>
    until(
      () => sockets.length,
      (count) => count > 0,
    );
  return { url: `http://127.0.0.1:${port}`, host: `127.0.0.1:${port}`, sockets, untilConnected };
}

test("concurrent calls share one introduction", async () => {
  const { url, count } = await startCounting();
  const worker = connectTo(url);
  await Promise.all(Array.from({ length: 10 }, () => worker.acknowledge("br_1")));
  await worker.close(OWNER, BY_ID);
  expect(count()).toBe(1);
});

test("after a worker restart, concurrent calls share one introduction", async () => {
  let refusals = 0;
  const { url, count } = await startCounting(() => refusals-- > 0);
  const worker = connectTo(url);
  await worker.acknowledge("br_1");
  refusals = 10;
  await Promise.all(Array.from({ length: 10 }, () => worker.acknowledge("br_1")));
  expect(count()).toBe(2);
});

test("an introduction without a response fails after 4 s, and its connection is closed", async () => {
  const { url, host, sockets, untilConnected } = await startSilent();
  const clock = new FakeClock();
  const verified = outcomeOf(newClient({ clock }).verify({ id: "worker01", instance: "1", url }, NEVER));
  await untilConnected();
  await clock.pass(3999);
  expect(clock.pending).toBe(1);
  await clock.pass(1);
  const message = `The server at ${host} didn't introduce itself within 4000 ms.`;
  expect(await verified).toMatchObject({ ...NOT_DONE, message });
  await until(
    () => sockets[0]?.destroyed,
    (isClosed) => isClosed === true,
  );
  expect(clock.pending).toBe(0);
});

test("aborting one call doesn't abort an introduction that other callers share", async () => {
  const { url, sockets, untilConnected } = await startSilent();
  const clock = new FakeClock();
  const client = newClient({ clock });
  const leaving = new AbortController();
  const first = outcomeOf(client.verify({ id: "worker01", instance: "1", url }, leaving.signal));
  const second = outcomeOf(client.verify({ id: "worker01", instance: "1", url }, NEVER));
  await untilConnected();
  leaving.abort(new Error("gone"));
  expect(await first).toBe(leaving.signal.reason);
  expect(sockets.map(({ destroyed }) => destroyed)).toEqual([false]);
  await client[Symbol.asyncDispose]();
  expect(await second).toMatchObject({ message: "This server is shutting down." });
  expect(clock.pending).toBe(0);
});
