import type { Writable } from "node:stream";
import type { ByteReader } from "./byte-reader.ts";
import { CHALLENGE_BYTES, answerChallenge } from "./vnc-auth.ts";

const VERSION = "RFB 003.008\n";
const VNC_AUTH = 2;
const IS_SHARED = 1;

/** Messages from the screen (RFC 6143, section 7.6) that come unasked. */
const [UPDATE, BELL, CUT_TEXT] = [0, 2, 3] as const;
const RAW = 0;

/**
 * 16 bits a pixel, little endian: 5 of red, 6 of green, 5 of blue. Half of what the screen has, at half the cost: reading
 * 1920 × 1080 pixels takes 8 ms of the event loop's time, with 32 bits 17 ms.
 */
const FORMAT = [16, 16, 0, 1, 0, 31, 0, 63, 0, 31, 11, 5, 0, 0, 0, 0];
const PIXEL_BYTES = 2;

/** Programs on a screen may change its size; what is larger than this costs more memory than a picture is worth. */
const MAX_PIXELS = 2 ** 24;

/** All pixels of a screen, row by row, in `FORMAT`. */
export type Frame = {
  readonly width: number;
  readonly height: number;
  /** Shared, so that a thread need not copy it. */
  readonly pixels: SharedArrayBuffer;
};

/**
 * Proves to a screen's RFB 3.8 server that one may come in.
 * @throws {Error} When one may not, or the server speaks something else.
 */
export async function showPassword(reader: ByteReader, writer: Writable, password: string): Promise<void> {
  const version = await reader.read(VERSION.length);
  if (version.toString("latin1") !== VERSION) throw new Error("The screen speaks another version of RFB.");
  writer.write(VERSION);
  const [count = 0] = await reader.read(1);
  const types = await reader.read(count);
  if (!types.includes(VNC_AUTH)) throw new Error("The screen does not ask for a password.");
  writer.write(Buffer.of(VNC_AUTH));
  writer.write(answerChallenge(password, await reader.read(CHALLENGE_BYTES)));
  if ((await reader.read(4)).readUInt32BE() !== 0) throw new Error("The screen refuses the password.");
}

/**
 * Looks at all of a screen once, as one viewer among others.
 * @throws {Error} When the server says what makes no sense, or hangs up.
 */
export async function readScreen(reader: ByteReader, writer: Writable): Promise<Frame> {
  writer.write(Buffer.of(IS_SHARED));
  const init = await reader.read(24);
  const [width, height] = [init.readUInt16BE(0), init.readUInt16BE(2)];
  await reader.take(init.readUInt32BE(20));
  if (width * height === 0 || width * height > MAX_PIXELS)
    throw new Error(`The screen has ${width} × ${height} pixels.`);
  writer.write(Buffer.from([0, 0, 0, 0, ...FORMAT]));
  // No more than that: each word about something else would use up the request, and take a turn of its own.
  writer.write(Buffer.of(2, 0, 0, 1, 0, 0, 0, RAW));
  const request = Buffer.of(3, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  request.writeUInt16BE(width, 6);
  request.writeUInt16BE(height, 8);
  writer.write(request);
  const frame = { width, height, pixels: new SharedArrayBuffer(width * height * PIXEL_BYTES) };
  for (let missing = width * height; missing > 0;) missing -= await readMessage(reader, frame);
  return frame;
}

/** @returns How many pixels came with it. */
async function readMessage(reader: ByteReader, frame: Frame): Promise<number> {
  const [type = -1] = await reader.read(1);
  switch (type) {
    case UPDATE: {
      const count = (await reader.read(3)).readUInt16BE(1);
      let pixels = 0;
      for (let at = 0; at < count; at += 1) pixels += await readRectangle(reader, frame);
      return pixels;
    }
    case BELL:
      return 0;
    case CUT_TEXT:
      await reader.take((await reader.read(7)).readUInt32BE(3));
      return 0;
    default:
      throw new Error(`The screen sent message ${type}, which nobody asked for.`);
  }
}

async function readRectangle(reader: ByteReader, frame: Frame): Promise<number> {
  const head = await reader.read(12);
  const [x, y, columns, rows] = [
    head.readUInt16BE(0),
    head.readUInt16BE(2),
    head.readUInt16BE(4),
    head.readUInt16BE(6),
  ];
  if (head.readInt32BE(8) !== RAW) throw new Error("The screen sent an encoding that nobody asked for.");
  if (x + columns > frame.width || y + rows > frame.height) throw new Error("The screen sent more than it has.");
  const pixels = new Uint8Array(frame.pixels);
  const rowBytes = columns * PIXEL_BYTES;
  const start = (y * frame.width + x) * PIXEL_BYTES;
  if (columns === frame.width) {
    await reader.take(rowBytes * rows, (bytes, at) => pixels.set(bytes, start + at));
  } else {
    for (let row = 0; row < rows; row += 1) {
      const from = start + row * frame.width * PIXEL_BYTES;
      await reader.take(rowBytes, (bytes, at) => pixels.set(bytes, from + at));
    }
  }
  return columns * rows;
}
