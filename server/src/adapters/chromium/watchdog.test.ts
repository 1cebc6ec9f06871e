import { once } from "node:events";
import { type AddressInfo, type Socket, connect, createServer } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { FakeClock } from "../../../test/fakes/fake-clock.ts";
import { until } from "../../../test/support/until.ts";
import { Moves, WATCHDOG_LIMITS as LIMITS, type Work, watch } from "./watchdog.ts";

const server = createServer();
let answer: (socket: Socket) => void;
let asked = 0;
let hung = 0;
/** Returns the browser's total work at each reading. */
let work: (reading: number) => Work;
let readings: number;
let clock: FakeClock;
let stop: () => void;

beforeEach(async () => {
  [asked, hung, readings] = [0, 0, 0];
  work = () => ({ processorMs: 0, moves: 0 });
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
  const readWork = async (): Promise<Work> => work((readings += 1));
  stop = watch({ connect: open, readWork }, clock, LIMITS, () => (hung += 1));
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

/** Lets time pass until the browser's work has been read n times. */
async function passToReading(n: number): Promise<void> {
  const ms = [LIMITS.patienceMs, LIMITS.timeoutMs - LIMITS.patienceMs][n - 1] ?? LIMITS.timeoutMs;
  await passUntil(ms, () => readings === n);
}

test("a browser that responds is probed once per interval, and its work isn't measured", async () => {
  for (const times of [1, 2, 3]) {
    await passUntil(LIMITS.intervalMs, () => asked === times);
    // The next probe is scheduled only after the response has arrived.
    await until(
      () => clock.pending,
      (waiting) => waiting === 1,
    );
  }
  expect([hung, readings]).toEqual([0, 0]);
});

test("a browser that reads the request but then stays idle is reported as hung exactly at the time limit", async () => {
  answer = () => {};
  await passUntil(LIMITS.intervalMs, () => asked === 1);
  await passToReading(1);
  await clock.pass(LIMITS.timeoutMs - LIMITS.patienceMs - 1);
  expect(hung).toBe(0);
  await passUntil(1, () => hung === 1);
  expect(clock.pending).toBe(0);
});

test.each([
  ["computes", (reading: number) => ({ processorMs: 100 * reading, moves: 0 })],
  ["sends", (reading: number) => ({ processorMs: 0, moves: reading })],
])("a browser that %s but doesn't respond is reported as hung once idle for a full time limit", async (_, works) => {
  answer = () => {};
  work = (reading) => works(Math.min(reading, 3));
  await passUntil(LIMITS.intervalMs, () => asked === 1);
  for (const reading of [1, 2, 3]) await passToReading(reading);
  expect(hung).toBe(0);
  await passToReading(4);
  await until(
    () => hung,
    (times) => times === 1,
  );
  expect(clock.pending).toBe(0);
});

test("a browser that uses almost no processor time and doesn't respond is reported as hung", async () => {
  answer = () => {};
  work = (reading) => ({ processorMs: 99 * reading, moves: 7 });
  await passUntil(LIMITS.intervalMs, () => asked === 1);
  await passToReading(1);
  await passUntil(LIMITS.timeoutMs - LIMITS.patienceMs, () => hung === 1);
  expect(readings).toBe(2);
});

test("a browser that works without answering is reported as hung after ten minutes, not earlier", async () => {
  answer = () => {};
  work = (reading) => ({ processorMs: 1000 * reading, moves: reading });
  await passUntil(LIMITS.intervalMs, () => asked === 1);
  for (let reading = 1; reading <= LIMITS.longestMs / LIMITS.timeoutMs; reading += 1) await passToReading(reading);
  expect(hung).toBe(0);
  await passUntil(LIMITS.timeoutMs, () => hung === 1);
  expect(clock.pending).toBe(0);
});

test("a browser that responds after its work is measured isn't reported as hung", async () => {
  let late: Socket | undefined;
  answer = (socket) => (late = socket);
  await passUntil(LIMITS.intervalMs, () => asked === 1);
  await passToReading(1);
  late?.end("HTTP/1.1 200 OK\r\n\r\n{}");
  await until(
    () => clock.pending,
    (waiting) => waiting === 1,
  );
  expect(hung).toBe(0);
});

test("bytes count as work when a browser sends or reads them late, but not while the kernel buffers them", async () => {
  const moves = new Moves();
  const peers: Socket[] = [];
  answer = (socket) => void peers.push(socket.pause());
  const socket = await open(new AbortController().signal);
  moves.add(socket);
  socket.write("asked");
  await until(
    () => peers.length,
    (connected) => connected === 1,
  );
  expect(moves.count).toBe(0);
  // The data is larger than the kernel's buffers.
  socket.write(Buffer.alloc(64 * 2 ** 20));
  expect(moves.count).toBe(0);
  peers[0]?.resume();
  await until(
    () => moves.count,
    (count) => count > 0,
  );
  const before = moves.count;
  peers[0]?.end("sent");
  await once(socket.resume(), "close");
  expect(moves.count).toBe(before + "sent".length);
});

test("a browser that closes the connection is probed again", async () => {
  answer = (socket) => void socket.destroy();
  await passUntil(LIMITS.intervalMs, () => asked === 1);
  await until(
    () => clock.pending,
    (waiting) => waiting === 3,
  );
  answer = (socket) => void socket.end("HTTP/1.1 200 OK\r\n\r\n{}");
  await passUntil(1000, () => asked === 2);
  await until(
    () => clock.pending,
    (waiting) => waiting === 1,
  );
  expect(hung).toBe(0);
});

test("a browser that refuses connections until the time limit is reported as hung", async () => {
  await new Promise((resolve) => server.close(resolve));
  await clock.pass(LIMITS.intervalMs);
  for (let second = 0; second < 20; second += 1) {
    expect(hung).toBe(0);
    // The pause before the next attempt begins only after the real socket refuses the connection.
    await until(
      () => clock.pending,
      (waiting) => waiting === 3,
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
