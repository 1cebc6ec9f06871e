import { expect, test } from "vitest";
import { FrameReader, toFrame } from "./frames.ts";

/** Encodes a server's frame, which is unmasked. */
function frame(first: number, payload: string): Buffer {
  const { length } = payload;
  const head =
    length < 126
      ? [first, length]
      : length < 65_536
        ? [first, 126, length >> 8, length & 255]
        : [first, 127, 0, 0, 0, 0, 0, length >> 16, (length >> 8) & 255, length & 255];
  return Buffer.concat([Buffer.from(head), Buffer.from(payload)]);
}

function read(bytes: Buffer, chunkBytes: number): string[] {
  const messages: string[] = [];
  const reader = new FrameReader(
    (message) => messages.push(Buffer.concat(message).toString()),
    () => messages.push("(closed)"),
  );
  for (let at = 0; at < bytes.length; at += chunkBytes) reader.push(bytes.subarray(at, at + chunkBytes));
  return messages;
}

const LONG = "l".repeat(300);
const LONGER = "L".repeat(70_000);

test.each([1, 2, 3, 7, 100_000])("messages of any length are read from chunks of %i bytes", (chunkBytes) => {
  const bytes = Buffer.concat(["short", LONG, LONGER, ""].map((text) => frame(0x81, text)));
  expect(read(bytes, chunkBytes)).toEqual(["short", LONG, LONGER, ""]);
});

test("fragments form one message, even with a ping between them", () => {
  const bytes = Buffer.concat([frame(0x01, "in "), frame(0x89, "ping"), frame(0x80, "two")]);
  expect(read(bytes, 4)).toEqual(["in two"]);
});

test("a close frame is reported", () => {
  expect(read(Buffer.concat([frame(0x81, "last"), frame(0x88, "")]), 64)).toEqual(["last", "(closed)"]);
});

test.each([5, 300, 70_000])("text of %i bytes becomes a frame with a zero mask", (length) => {
  const sent = toFrame("x".repeat(length));
  expect(sent[0]).toBe(0x81);
  expect((sent[1] ?? 0) & 0x80).toBe(0x80);
  expect(sent.subarray(-length - 4, -length)).toEqual(Buffer.alloc(4));
  expect(sent.toString().endsWith("x".repeat(length))).toBe(true);
});
