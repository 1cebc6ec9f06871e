import { Writable } from "node:stream";
import { expect, test } from "vitest";
import { ByteReader } from "../rfb/byte-reader.ts";
import { SMALL, logIn, readPixels, toLimits } from "./rfb-client.ts";

const NAME = Buffer.from("\0\0\0\x04name", "latin1");
const FORMAT = Buffer.alloc(16);

/** Encodes big-endian 16-bit numbers. */
const words = (...values: number[]): Buffer => Buffer.from(values.flatMap((value) => [value >> 8, value & 255]));
const init = (width: number, height: number): Buffer => Buffer.concat([words(width, height), FORMAT, NAME]);
const RAW = words(0, 0);

/** Yields a screen's data, in one-byte chunks if it is short. */
async function* send(...parts: Buffer[]): AsyncGenerator<Buffer> {
  const all = Buffer.concat(parts);
  const size = all.length > 10_000 ? 4096 : 1;
  for (let at = 0; at < all.length; at += size) yield all.subarray(at, at + size);
}

const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
const read = async (...parts: Buffer[]) => {
  const { data } = await readPixels(new ByteReader(send(...parts), toLimits(SMALL)), nowhere, SMALL);
  return [...new Uint16Array(data)];
};

test("all parts of a screen are read, whatever messages arrive between them", async () => {
  const bell = Buffer.of(2);
  const cut = Buffer.concat([Buffer.of(3, 0, 0, 0), words(0, 3), Buffer.from("cut")]);
  const left = Buffer.concat([words(0, 0, 1, 2), RAW, Buffer.of(1, 0, 3, 0)]);
  const right = Buffer.concat([words(1, 0, 1, 2), RAW, Buffer.of(2, 0, 4, 0)]);
  const one = Buffer.of(0, 0, 0, 1);
  expect(await read(init(2, 2), bell, one, left, cut, one, right)).toEqual([1, 2, 3, 4]);
  expect(await read(init(2, 2), Buffer.of(0, 0, 0, 2), left, right)).toEqual([1, 2, 3, 4]);
});

test.each([
  ["a size that would take gigabytes", [init(65535, 65535)], "The screen has 65535 × 65535 pixels."],
  ["no pixels", [init(0, 1080)], "The screen has 0 × 1080 pixels."],
  ["pixels outside its bounds", [init(2, 2), Buffer.of(0, 0, 0, 1), words(1, 0, 2, 1), RAW], "outside its size"],
  [
    "another encoding",
    [init(2, 2), Buffer.of(0, 0, 0, 1), words(0, 0, 2, 2, 0, 7)],
    "an encoding that was not requested",
  ],
  ["another message", [init(2, 2), Buffer.of(9)], "message 9"],
  ["a 4 GB name", [words(2, 2), FORMAT, Buffer.alloc(4, 0xff)], "more than 45048576 bytes"],
  ["a 4 GB clipboard", [init(2, 2), Buffer.of(3, 0, 0, 0), Buffer.alloc(4, 0xff)], "more than 45048576 bytes"],
  ["bells without end", [init(2, 2), Buffer.alloc(40_000, 2)], "more than 30000 values"],
  [
    "endless rectangles without pixels",
    [init(2, 2), Buffer.of(0, 0), words(65535), Buffer.alloc(12 * 40_000)],
    "more than 30000 values",
  ],
  [
    "only half of the pixels",
    [init(2, 2), Buffer.of(0, 0, 0, 1), words(0, 0, 2, 2), RAW, words(1)],
    "The stream has ended.",
  ],
])("a screen that sends %s produces no picture", async (_, parts, message) => {
  await expect(read(...parts)).rejects.toThrow(message);
});

test.each([
  ["speaks an older version", [Buffer.from("RFB 003.003\n")], "another version"],
  ["doesn't ask for a password", [Buffer.from("RFB 003.008\n"), Buffer.of(1, 1)], "does not ask for a password"],
  [
    "refuses the password",
    [Buffer.from("RFB 003.008\n"), Buffer.of(1, 2), Buffer.alloc(16), words(0, 1)],
    "refuses the password",
  ],
])("logging in fails if the screen %s", async (_, parts, message) => {
  await expect(logIn(new ByteReader(send(...parts), toLimits(SMALL)), nowhere, "password")).rejects.toThrow(message);
});
