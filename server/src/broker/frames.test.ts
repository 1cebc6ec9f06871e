import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { MAX_MESSAGE, readMessages, sendMessage } from "./frames.ts";

/** @returns The messages read from these bytes as they arrive in chunks. */
async function read(...chunks: readonly Buffer[]): Promise<{ messages: unknown[]; error: unknown }> {
  const channel = new PassThrough();
  const messages: unknown[] = [];
  let error: unknown;
  channel.on("error", (reason) => (error = reason));
  readMessages(channel, (message) => messages.push(message));
  const closed = new Promise((resolve) => channel.once("close", resolve));
  for (const chunk of chunks) channel.write(chunk);
  channel.end();
  await closed;
  return { messages, error };
}

function encode(...messages: readonly object[]): Buffer {
  const channel = new PassThrough();
  for (const message of messages) sendMessage(channel, message);
  return (channel.read() as Buffer | null) ?? Buffer.alloc(0);
}

test("messages are read however their bytes are split into chunks", async () => {
  const sent = [{ one: "ä" }, {}, { two: [2] }];
  const bytes = encode(...sent);
  expect((await read(bytes)).messages).toEqual(sent);
  expect((await read(...[...bytes].map((byte) => Buffer.from([byte])))).messages).toEqual(sent);
});

test("the longest allowed message is read, and a message that claims to be longer stops reading", async () => {
  const longest = { text: "x".repeat(MAX_MESSAGE - '{"text":""}'.length) };
  expect((await read(encode(longest))).messages).toEqual([longest]);
  expect(() => encode({ text: `${longest.text}x` })).toThrow(RangeError);
  const tooLong = Buffer.from([0xff, 0xff, 0xff, 0xff]);
  const { messages, error } = await read(encode({ one: 1 }), tooLong, encode({ two: 2 }));
  expect([messages, String(error)]).toEqual([[{ one: 1 }], "RangeError: A message of 4294967295 bytes is too long."]);
});

test("a message that isn't JSON is read as undefined, and the next message is still read", async () => {
  const broken = encode({});
  broken.write("{]", 4);
  expect((await read(broken, encode({ next: 1 }))).messages).toEqual([undefined, { next: 1 }]);
});
