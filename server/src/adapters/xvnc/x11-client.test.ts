import { Duplex } from "node:stream";
import { expect, test } from "vitest";
import { openX11 } from "./x11-client.ts";

/** A successful connection setup with no formats and one screen (X Window System Protocol, section 8). */
const SETUP = Buffer.alloc(8 + 72);
SETUP.writeUInt8(1, 0);
SETUP.writeUInt16LE(72 / 4, 6);

const [REPLY, EVENT] = [1, 2] as const;

/** Sends a request to a fake X server, which responds with these parts. */
async function ask(...parts: Buffer[]): Promise<Buffer> {
  const stream = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
  for (const part of parts) stream.push(part);
  const client = await openX11(stream, Buffer.alloc(16));
  return client.ask([1, 0]);
}

function toMessage(kind: number, length = 0): Buffer {
  const message = Buffer.alloc(32, kind);
  message.writeUInt32LE(length, 4);
  return message;
}

test("a reply of several gigabytes isn't read", async () => {
  expect(await ask(SETUP, toMessage(REPLY))).toHaveLength(32);
  await expect(ask(SETUP, toMessage(REPLY, 2 ** 30))).rejects.toThrow("The screen sent more than 1048576 bytes.");
});

test("reading stops on an endless stream of events", async () => {
  const events = Array.from({ length: 20_000 }, () => toMessage(EVENT));
  await expect(ask(SETUP, Buffer.concat(events))).rejects.toThrow("The screen sent more than 10000 values.");
});
