import type { Socket } from "node:net";
import { expect, test } from "vitest";
import type { ReadSendQueues } from "./send-queues.ts";
import { watchStalledClients } from "./stalled-clients.ts";

const KEY = "0100007F:1F90 0100007F:C000";
const CHECK_MS = 10_000;

/** Creates a fake socket and kernel queue whose sizes the test controls. */
function open(options: { readSendQueues?: ReadSendQueues } = {}) {
  const client = {
    localAddress: "127.0.0.1",
    localPort: 0x1f90,
    remoteAddress: "127.0.0.1",
    remotePort: 0xc000,
    bytesRead: 0,
    bytesWritten: 0,
    writableLength: 0,
  };
  const kernel = { queue: 0, reads: 0 };
  const due: (() => void)[] = [];
  let stalls = 0;
  const watch = watchStalledClients({
    stallCheckMs: CHECK_MS,
    stallMs: 120_000,
    readSendQueues: async (keys) => {
      expect([...keys]).toEqual([KEY]);
      kernel.reads += 1;
      return new Map([[KEY, kernel.queue]]);
    },
    clock: {
      after(delayMs, call) {
        expect(delayMs).toBe(CHECK_MS);
        due.push(call);
        return () => void due.splice(due.indexOf(call), 1);
      },
    },
    ...options,
  });
  const unwatch = watch(client as unknown as Socket, () => (stalls += 1));
  return {
    client,
    kernel,
    unwatch,
    timers: () => due.length,
    stalls: () => stalls,
    /** Runs `times` checks. */
    async check(times = 1, before = () => {}) {
      for (let count = 0; count < times; count += 1) {
        before();
        due.shift()?.();
        await new Promise(setImmediate);
      }
    },
  };
}

test("a client that reads none of the waiting bytes is reported once, after 120 s", async () => {
  const { client, kernel, check, stalls, timers } = open();
  client.bytesWritten = 5000;
  kernel.queue = 2000;
  await check(12);
  expect(stalls()).toBe(0);
  await check();
  expect([stalls(), timers()]).toEqual([1, 0]);
});

test("additional waiting bytes make no difference, whether Node or the kernel buffers them", async () => {
  const { client, kernel, check, stalls } = open();
  client.bytesWritten = 5000;
  kernel.queue = 2000;
  await check(13, () => {
    client.bytesWritten += 300;
    kernel.queue += 100;
    client.writableLength += 200;
  });
  expect(stalls()).toBe(1);
});

test("bytes that move from Node to the kernel don't count as read by the client", async () => {
  const { client, kernel, check, stalls } = open();
  client.bytesWritten = 5000;
  client.writableLength = 4000;
  kernel.queue = 100;
  let isPartOfChunk = false;
  await check();
  await check(12, () => {
    // Node counts a whole chunk as buffered until the kernel has accepted all of it.
    isPartOfChunk = !isPartOfChunk;
    if (isPartOfChunk) kernel.queue += 300;
    else client.writableLength -= 300;
  });
  expect(stalls()).toBe(1);
});

test("a client that reads everything stays connected", async () => {
  const { client, kernel, check, stalls } = open();
  kernel.queue = 2000;
  await check(30, () => (client.bytesWritten += 5000));
  expect(stalls()).toBe(0);
});

test("a client stays connected if it reads part of a chunk that Node still buffers", async () => {
  const { client, kernel, check, stalls } = open();
  client.bytesWritten = 100_000;
  client.writableLength = 50_000;
  await check();
  kernel.queue = 50_000;
  await check();
  for (let round = 0; round < 10; round += 1) {
    kernel.queue -= 1;
    await check(12);
  }
  expect(stalls()).toBe(0);
});

test("a client that occasionally reads a few bytes stays connected", async () => {
  const { client, kernel, check, stalls } = open();
  client.bytesWritten = 100_000;
  client.writableLength = 50_000;
  kernel.queue = 50_000;
  for (let round = 0; round < 10; round += 1) {
    kernel.queue -= 1;
    await check(12);
  }
  expect(stalls()).toBe(0);
});

test("once a client has read everything, the timeout restarts when more bytes are waiting", async () => {
  const { client, kernel, check, stalls } = open();
  client.bytesWritten = 5000;
  kernel.queue = 2000;
  await check(12);
  kernel.queue = 0;
  await check();
  client.bytesWritten += 10;
  kernel.queue = 10;
  await check(12);
  expect(stalls()).toBe(0);
  await check();
  expect(stalls()).toBe(1);
});

test("bytes written while the kernel's tables are being read don't count as read by the client", async () => {
  let reads = 0;
  const { client, check, stalls } = open({
    readSendQueues: async () => {
      const queue = client.bytesWritten - 3000;
      reads += 1;
      client.bytesWritten += reads * 10;
      return new Map([[KEY, queue]]);
    },
  });
  client.bytesWritten = 5000;
  await check(13);
  expect(stalls()).toBe(1);
});

test("without the kernel's tables, Node's own buffer is enough to detect a stall", async () => {
  const { client, check, stalls } = open({ readSendQueues: async () => new Map() });
  client.bytesWritten = 5000;
  client.writableLength = 4000;
  await check(13);
  expect(stalls()).toBe(1);
});

test("the kernel's tables aren't read for idle clients, and no timer runs without clients", async () => {
  const { client, kernel, check, unwatch, timers } = open();
  client.bytesWritten = 5000;
  await check(5);
  expect(kernel.reads).toBe(1);
  expect(timers()).toBe(1);
  unwatch();
  unwatch();
  expect(timers()).toBe(0);
});

test("for a client that sends data, the kernel's tables are read only if Node buffers bytes for that client", async () => {
  const { client, kernel, check, stalls } = open();
  kernel.queue = 100;
  const talk = (): void => {
    client.bytesRead += 10;
    client.bytesWritten += 100;
  };
  await check(30, talk);
  expect([kernel.reads, stalls()]).toEqual([0, 0]);
  // The client sends data, but doesn't read.
  client.writableLength = 4000;
  await check(13, () => (client.bytesRead += 10));
  expect([kernel.reads, stalls()]).toEqual([13, 1]);
});

test("a client that sends data is reported 120 s after the check that detects the data", async () => {
  const { client, kernel, check, stalls } = open();
  client.bytesWritten = 5000;
  kernel.queue = 2000;
  await check(12);
  client.bytesRead = 10;
  await check(13);
  expect(stalls()).toBe(0);
  await check();
  expect(stalls()).toBe(1);
});
