import { once } from "node:events";
import { type Socket, type AddressInfo, connect } from "node:net";
import type { Server } from "node:http";
import { createAdaptorServer } from "@hono/node-server";
import { operations } from "@remote-browser/contract/operations";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { FakeClock } from "../../test/fakes/fake-clock.ts";
import { RecordingLog } from "../../test/fakes/recording-log.ts";
import { until } from "../../test/support/until.ts";
import type { Account } from "../domain/account/account.ts";
import { Semaphore } from "../concurrency/semaphore.ts";
import { Failure } from "../domain/failure.ts";
import { mountContract } from "./mount.ts";
import type { Handlers } from "../contract/operation.ts";
import { newServiceApp } from "./app.ts";
import { systemClock } from "../adapters/node/system-clock.ts";

const { path: QUERY } = operations.queryAi;
const BODY = JSON.stringify({ html: "h", prompt: "p" });

let clock: FakeClock;
let log: RecordingLog;
let permits: Semaphore;
let checks: Semaphore;
let server: Server;

beforeEach(async () => {
  clock = new FakeClock();
  log = new RecordingLog();
  const onFull = (): Failure => new Failure("ProviderUnavailable", "Full.", { retryAfterS: 5 });
  permits = new Semaphore({ limit: 1, maxWaiting: 1, maxWaitMs: 60_000, clock, onFull });
  const noCheck = (): Failure => new Failure("ProviderUnavailable", "Busy.", { retryAfterS: 5 });
  checks = new Semaphore({ limit: 1, maxWaiting: 0, clock, onFull: noCheck });
  const app = newServiceApp({
    newRequestId: () => "r1",
    pathPrefix: "",
    origins: new Set(),
    isHttpsOnly: false,
    clock: systemClock,
    log,
  });
  const handlers = { queryAi: async () => ({ status: 200, body: { status: 200, response: "Yes." } }) };
  mountContract(app, handlers as unknown as Handlers, {
    authenticate: async () => ({ id: "a1" }) as Account,
    checkRate: undefined,
    publicUrl: undefined,
    capabilities: { graphical: true, desktop: true, ai: true },
    admission: {
      queryAi: {
        acquirePermit: (_account, signal) => permits.acquire(signal),
        acquireCheck: (_account, signal) => checks.acquire(signal),
        check: async (_account, { prompt }) => {
          if (prompt === "!") throw new Failure("BadRequest", "prompt is wrong.");
        },
      },
    },
    clock,
  });
  server = createAdaptorServer({ fetch: app.fetch }) as Server;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});

/** Checks after every test that all permits, timers and connections are released. */
afterEach(async () => {
  await until(
    () => [permits.held, permits.waiting, checks.held, clock.pending],
    (held) => held.every((count) => count === 0),
  );
  const connections = (): Promise<number> =>
    new Promise((resolve) => server.getConnections((_error, count) => resolve(count)));
  await until(connections, (count) => count === 0);
  server.close();
});

/** Sends the head of a Query request and the first bytes of its body. */
async function begin(
  part: string,
  framing = `Content-Length: ${BODY.length}`,
): Promise<Socket & { received: string; ended: Promise<unknown> }> {
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  const client = Object.assign(socket, { received: "", ended: once(socket, "close") });
  socket.on("data", (chunk) => (client.received += String(chunk)));
  socket.on("error", () => {});
  const head = ["Host: x", "Authorization: Bearer t", "Content-Type: application/json", "Connection: close", framing];
  socket.write(`POST ${QUERY} HTTP/1.1\r\n${head.join("\r\n")}\r\n\r\n${part}`);
  await once(socket, "connect");
  return client;
}

const permitIsHeld = () =>
  until(
    () => permits.held,
    (held) => held === 1,
  );

describe("a slow body in a request with a permit", () => {
  test.each([
    ["with a declared length", BODY.slice(0, 1), `Content-Length: ${BODY.length}`],
    ["without a declared length", `1\r\n${BODY.slice(0, 1)}\r\n`, "Transfer-Encoding: chunked"],
  ])("%s is refused after 20 s, and the next request receives the permit", async (_what, part, framing) => {
    const slow = await begin(part, framing);
    await permitIsHeld();
    const next = await begin(BODY);
    await until(
      () => permits.waiting,
      (waiting) => waiting === 1,
    );
    await clock.pass(19_999);
    expect(slow.received).toBe("");
    await clock.pass(1);
    await Promise.all([slow.ended, next.ended]);
    expect(slow.received).toContain("HTTP/1.1 400");
    expect(slow.received).toContain('"errors":[{"path":"","message":"did not arrive within 20 s"}]');
    expect(next.received).toContain("HTTP/1.1 200");
  });

  test("leaves no timer running after arriving in full", async () => {
    const client = await begin(BODY);
    await client.ended;
    expect(client.received).toContain("HTTP/1.1 200");
    expect(clock.pending).toBe(0);
  });
});

describe("while all permits are taken", () => {
  let others: Disposable[];
  beforeEach(async () => {
    others = [await permits.acquire()];
    const waiting = permits.acquire();
    others.push({ [Symbol.dispose]: () => void waiting.then((permit) => permit[Symbol.dispose]()) });
  });
  afterEach(() => others.forEach((each) => each[Symbol.dispose]()));

  async function send(body: string): Promise<string> {
    const client = await begin(body, `Content-Length: ${body.length}`);
    await client.ended;
    return client.received;
  }

  test.each([
    ["a sound request", BODY, "503", "Full."],
    ["a body that is not JSON", "{", "400", "The body is not JSON"],
    ["a wrong body", '{"html": 1, "prompt": "p"}', "400", "html must be a string"],
    ["a body that the operation refuses", '{"html": "h", "prompt": "!"}', "400", "prompt is wrong."],
  ])("%s is checked in the contract's order", async (_what, body, status, message) => {
    const received = await send(body);
    expect(received).toContain(`HTTP/1.1 ${status}`);
    expect(received).toContain(message);
  });

  test("a request is refused without being checked while too many others are being checked", async () => {
    others.push(await checks.acquire());
    const received = await send("{");
    expect(received).toContain("HTTP/1.1 503");
    expect(received).toContain("Busy.");
  });

  test("a body that is too large is refused with 413", async () => {
    const client = await begin("", `Content-Length: ${operations.queryAi.maxBodyBytes + 1}`);
    await client.ended;
    expect(client.received).toContain("HTTP/1.1 413");
  });

  test("a slow body is refused after 20 s", async () => {
    const slow = await begin(BODY.slice(0, 1));
    await until(
      () => checks.held,
      (held) => held === 1,
    );
    await clock.pass(20_000);
    await slow.ended;
    expect(slow.received).toContain("did not arrive within 20 s");
  });
});

describe("a request whose caller disconnects is logged as abandoned, not as failed", () => {
  const isLogged = () =>
    until(
      () => log.lines.length,
      (count) => count > 0,
    );

  test("while sending the body", async () => {
    const client = await begin(BODY.slice(0, 5));
    await permitIsHeld();
    client.destroy();
    await isLogged();
    expect(log.lines.map(({ event }) => event)).toEqual(["request.abandoned"]);
    expect([...log.sampled]).toEqual(["request.abandoned"]);
  });

  test("while sending a body of undeclared length", async () => {
    const client = await begin("1\r\n{\r\n", "Transfer-Encoding: chunked");
    await permitIsHeld();
    client.resetAndDestroy();
    await isLogged();
    expect(log.lines.map(({ event }) => event)).toEqual(["request.abandoned"]);
  });

  test("while waiting for a permit", async () => {
    const permit = await permits.acquire(new AbortController().signal);
    const client = await begin(BODY);
    await until(
      () => permits.waiting,
      (waiting) => waiting === 1,
    );
    client.destroy();
    await isLogged();
    expect(log.lines.map(({ event }) => event)).toEqual(["request.abandoned"]);
    permit[Symbol.dispose]();
  });
});
