import { Writable } from "node:stream";
import { expect, test } from "vitest";
import { ByteReader } from "./byte-reader.ts";
import { readScreen, showPassword } from "./read-screen.ts";

const NAME = Buffer.from("\0\0\0\x04name", "latin1");
const FORMAT = Buffer.alloc(16);

/** Big-endian numbers of 16 bits. */
const words = (...values: number[]): Buffer => Buffer.from(values.flatMap((value) => [value >> 8, value & 255]));
const init = (width: number, height: number): Buffer => Buffer.concat([words(width, height), FORMAT, NAME]);
const RAW = words(0, 0);

/** What a screen says, in chunks as small as they may come. */
async function* say(...parts: Buffer[]): AsyncGenerator<Buffer> {
  for (const byte of Buffer.concat(parts)) yield Buffer.of(byte);
}

const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
const lookAt = async (...parts: Buffer[]) => {
  const frame = await readScreen(new ByteReader(say(...parts)), nowhere);
  return [...new Uint16Array(frame.pixels)];
};

test("a screen is whole when all its parts have come, whatever comes between them", async () => {
  const bell = Buffer.of(2);
  const cut = Buffer.concat([Buffer.of(3, 0, 0, 0), words(0, 3), Buffer.from("cut")]);
  const left = Buffer.concat([words(0, 0, 1, 2), RAW, Buffer.of(1, 0, 3, 0)]);
  const right = Buffer.concat([words(1, 0, 1, 2), RAW, Buffer.of(2, 0, 4, 0)]);
  const one = Buffer.of(0, 0, 0, 1);
  expect(await lookAt(init(2, 2), bell, one, left, cut, one, right)).toEqual([1, 2, 3, 4]);
  expect(await lookAt(init(2, 2), Buffer.of(0, 0, 0, 2), left, right)).toEqual([1, 2, 3, 4]);
});

test.each([
  ["a size that would take gigabytes", [init(65535, 65535)], "The screen has 65535 × 65535 pixels."],
  ["no pixel at all", [init(0, 1080)], "The screen has 0 × 1080 pixels."],
  ["pixels beside itself", [init(2, 2), Buffer.of(0, 0, 0, 1), words(1, 0, 2, 1), RAW], "more than it has"],
  ["an encoding of its own", [init(2, 2), Buffer.of(0, 0, 0, 1), words(0, 0, 2, 2, 0, 7)], "an encoding that nobody"],
  ["a message of its own", [init(2, 2), Buffer.of(9)], "message 9"],
  ["half of itself", [init(2, 2), Buffer.of(0, 0, 0, 1), words(0, 0, 2, 2), RAW, words(1)], "The stream has ended."],
])("a screen that sends %s gives no picture", async (_, parts, message) => {
  await expect(lookAt(...parts)).rejects.toThrow(message);
});

test.each([
  ["speaks an older version", [Buffer.from("RFB 003.003\n")], "another version"],
  ["lets in everybody", [Buffer.from("RFB 003.008\n"), Buffer.of(1, 1)], "does not ask for a password"],
  [
    "refuses the password",
    [Buffer.from("RFB 003.008\n"), Buffer.of(1, 2), Buffer.alloc(16), words(0, 1)],
    "refuses the password",
  ],
])("a screen that %s is not entered", async (_, parts, message) => {
  await expect(showPassword(new ByteReader(say(...parts)), nowhere, "password")).rejects.toThrow(message);
});
