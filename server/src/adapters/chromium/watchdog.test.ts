import { once } from "node:events";
import { type AddressInfo, type Socket, connect, createServer } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { FakeClock } from "../../../test/fakes/fake-clock.ts";
import { until } from "../../../test/support/until.ts";
import { watch } from "./watchdog.ts";

const LIMITS = { intervalMs: 10_000, timeoutMs: 20_000 };

const server = createServer();
let answer: (socket: Socket) => void;
let asked = 0;
let hung = 0;
let clock: FakeClock;
let stop: () => void;

beforeEach(async () => {
  [asked, hung] = [0, 0];
  answer = (socket) => void socket.end("HTTP/1.1 200 OK\r\n\r\n{}");
  server.removeAllListeners("connection");
  server.on("connection", (socket: Socket) => {
    socket.on("error", () => {});
    socket.once("data", () => {
      asked += 1;
      answer(socket);
    });
  });
  if (!server.listening) await once(server.listen(0, "127.0.0.1"), "listening");
  clock = new FakeClock();
  stop = watch(open, clock, LIMITS, () => (hung += 1));
});

afterEach(() => {
  stop();
});

async function open(signal: AbortSignal): Promise<Socket> {
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  await once(socket, "connect", { signal });
  return socket;
}

/** Advances the clock, and waits until data on real sockets has arrived. */
async function passUntil(ms: number, isSo: () => boolean): Promise<void> {
  await clock.pass(ms);
  await until(isSo, (so) => so);
}

test("a browser that answers is probed once per interval", async () => {
  for (const times of [1, 2, 3]) {
    await passUntil(LIMITS.intervalMs, () => asked === times);
    // The answer has come once the next probe is scheduled.
    await until(
      () => clock.pending,
      (waiting) => waiting === 1,
    );
  }
  expect(hung).toBe(0);
});

test("a browser that takes the request and doesn't answer hangs at the end of its time, not earlier", async () => {
  answer = () => {};
  await passUntil(LIMITS.intervalMs, () => asked === 1);
  await clock.pass(LIMITS.timeoutMs - 1);
  expect(hung).toBe(0);
  await passUntil(1, () => hung === 1);
  expect(clock.pending).toBe(0);
});

test("a browser that closes the connection is probed again, and doesn't hang if it answers then", async () => {
  answer = (socket) => void socket.destroy();
  await passUntil(LIMITS.intervalMs, () => asked === 1);
  await until(
    () => clock.pending,
    (waiting) => waiting === 2,
  );
  answer = (socket) => void socket.end("HTTP/1.1 200 OK\r\n\r\n{}");
  await passUntil(1000, () => asked === 2);
  await until(
    () => clock.pending,
    (waiting) => waiting === 1,
  );
  expect(hung).toBe(0);
});

test("a browser that refuses connections until the end of its time hangs", async () => {
  await new Promise((resolve) => server.close(resolve));
  await clock.pass(LIMITS.intervalMs);
  for (let second = 0; second < 20; second += 1) {
    expect(hung).toBe(0);
    // The real socket is refused first, then the wait for the next try begins.
    await until(
      () => clock.pending,
      (waiting) => waiting === 2,
    );
    await clock.pass(1000);
  }
  await until(
    () => hung,
    (times) => times === 1,
  );
  expect(clock.pending).toBe(0);
});

test("a stopped watchdog reports nothing and leaves no timer", async () => {
  answer = () => {};
  await passUntil(LIMITS.intervalMs, () => asked === 1);
  stop();
  await until(
    () => clock.pending,
    (waiting) => waiting === 0,
  );
  await clock.pass(LIMITS.timeoutMs * 2);
  expect(hung).toBe(0);
});
