import { once } from "node:events";
import { type AddressInfo, type Socket, connect, createServer } from "node:net";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readKernelSendQueues, toConnectionKey } from "./send-queues.ts";

/** Opens a connection on this machine. `near` is the server's end. */
async function openPair(host: string, address: string): Promise<AsyncDisposable & { near: Socket; far: Socket }> {
  const server = createServer({ pauseOnConnect: true });
  const accepted = once(server, "connection");
  server.listen(0, host);
  await once(server, "listening");
  const far = connect((server.address() as AddressInfo).port, address);
  const [near] = (await accepted) as [Socket];
  return {
    near,
    far,
    async [Symbol.asyncDispose]() {
      near.destroy();
      far.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

test.each([
  ["IPv4", "127.0.0.1", "127.0.0.1"],
  ["IPv6", "::1", "::1"],
  ["IPv4 to a dual-stack server", "::", "127.0.0.1"],
])("the kernel's tables show the bytes that a peer over %s hasn't read", async (_, host, address) => {
  await using pair = await openPair(host, address);
  const { near, far } = pair;
  const key = toConnectionKey(near) ?? "";
  expect(await readKernelSendQueues(new Set([key]))).toEqual(new Map([[key, 0]]));

  far.pause();
  while (near.write(Buffer.alloc(1_000_000)));
  await expect.poll(async () => (await readKernelSendQueues(new Set([key]))).get(key)).toBeGreaterThan(0);
  far.resume();
  await expect.poll(async () => (await readKernelSendQueues(new Set([key]))).get(key)).toBe(0);
});

test("unknown connections are omitted, and all connections are omitted if the kernel has no such tables", async () => {
  const keys = new Set(["0100007F:0001 0100007F:0002"]);
  expect(await readKernelSendQueues(keys)).toEqual(new Map());
  expect(await readKernelSendQueues(keys, "/nowhere")).toEqual(new Map());
});

test("a connection is found among thousands of other connections", async () => {
  const folder = await mkdtemp(join(tmpdir(), "send-queues-"));
  await using undo = new AsyncDisposableStack();
  undo.defer(() => rm(folder, { recursive: true }));
  const row = (at: number, tx: string): string => {
    const port = (at + 1000).toString(16).toUpperCase().padStart(4, "0");
    return `${String(at).padStart(4)}: 0100007F:1F90 0A00000A:${port} 01 ${tx}:00000000 01:00000014 00000000     0        0 1185`;
  };
  const rows = Array.from({ length: 40_000 }, (_, at) => row(at, at === 39_999 ? "0001E240" : "00000000"));
  await writeFile(join(folder, "tcp"), `  sl  local_address rem_address   st tx_queue rx_queue\n${rows.join("\n")}\n`);
  const key = `0100007F:1F90 0A00000A:${(40_999).toString(16).toUpperCase()}`;
  expect(await readKernelSendQueues(new Set([key]), folder)).toEqual(new Map([[key, 123_456]]));
});

test("a socket that is not connected over TCP has no key", () => {
  expect(toConnectionKey({} as Socket)).toBeUndefined();
});
