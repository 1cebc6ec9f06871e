import type { Writable } from "node:stream";
import type { ByteReader, ReadLimits } from "../rfb/byte-reader.ts";
import { CHALLENGE_BYTES, answerChallenge } from "../rfb/vnc-auth.ts";

const VERSION = "RFB 003.008\n";
const VNC_AUTH = 2;
const IS_SHARED = 1;

/** A screen's messages (RFC 6143, section 7.6). */
const [UPDATE, BELL, CUT_TEXT] = [0, 2, 3] as const;
const RAW = 0;

/** The encoding of a screen's pixels. */
export type PixelFormat = {
  /** The fields defined in RFC 6143, section 7.4. */
  readonly fields: readonly number[];
  readonly pixelBytes: number;
};

/** 16-bit little-endian pixels (5 bits red, 6 green, 5 blue), which take half as long to read as 32-bit pixels. */
export const SMALL: PixelFormat = {
  fields: [16, 16, 0, 1, 0, 31, 0, 63, 0, 31, 11, 5, 0, 0, 0, 0],
  pixelBytes: 2,
};

/** The screen's own format: 32 bits per pixel, with bytes for red, green and blue. */
export const EXACT: PixelFormat = {
  fields: [32, 24, 0, 1, 0, 255, 0, 255, 0, 255, 0, 8, 16, 0, 0, 0],
  pixelBytes: 4,
};

/** Limits a picture's memory use, because programs can enlarge the screen. */
const MAX_PIXELS = 22_000_000;

/** Maximum size of other data, such as the clipboard. */
const OTHER_BYTES = 2 ** 20;
/** Maximum number of reads. The largest screen sends rectangles with 14,000 rows in total. */
const MAX_READS = 30_000;

/** Returns the limits on the data that a screen may send for a picture. */
export function toLimits({ pixelBytes }: PixelFormat): ReadLimits {
  return { maxBytes: MAX_PIXELS * pixelBytes + OTHER_BYTES, maxReads: MAX_READS };
}

/** All pixels of a screen, row by row. */
export type Pixels = {
  readonly width: number;
  readonly height: number;
  /** Shared, so that passing the data to a thread doesn't copy it. */
  readonly data: SharedArrayBuffer;
};

/** Logs in to an RFB 3.8 server. @throws {Error} If the server rejects the password or uses another protocol. */
export async function logIn(reader: ByteReader, writer: Writable, password: string): Promise<void> {
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
 * Reads all pixels once over a newly logged-in connection, without disconnecting other viewers.
 * @throws {Error} If the server violates the protocol or closes the connection.
 */
export async function readPixels(reader: ByteReader, writer: Writable, format: PixelFormat): Promise<Pixels> {
  writer.write(Buffer.of(IS_SHARED));
  const init = await reader.read(24);
  const [width, height] = [init.readUInt16BE(0), init.readUInt16BE(2)];
  await reader.take(init.readUInt32BE(20));
  if (width * height === 0 || width * height > MAX_PIXELS)
    throw new Error(`The screen has ${width} × ${height} pixels.`);
  writer.write(Buffer.from([0, 0, 0, 0, ...format.fields]));
  // With other encodings, the server would also send other messages.
  writer.write(Buffer.of(2, 0, 0, 1, 0, 0, 0, RAW));
  const request = Buffer.of(3, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  request.writeUInt16BE(width, 6);
  request.writeUInt16BE(height, 8);
  writer.write(request);
  const screen = { width, height, data: new SharedArrayBuffer(width * height * format.pixelBytes) };
  for (let missing = width * height; missing > 0;) missing -= await readMessage(reader, screen, format);
  return screen;
}

/** @returns The number of pixels in the message. */
async function readMessage(reader: ByteReader, screen: Pixels, format: PixelFormat): Promise<number> {
  const [type = -1] = await reader.read(1);
  switch (type) {
    case UPDATE: {
      const count = (await reader.read(3)).readUInt16BE(1);
      let pixels = 0;
      for (let at = 0; at < count; at += 1) pixels += await readRectangle(reader, screen, format);
      return pixels;
    }
    case BELL:
      return 0;
    case CUT_TEXT:
      await reader.take((await reader.read(7)).readUInt32BE(3));
      return 0;
    default:
      throw new Error(`The screen sent message ${type}, which was not requested.`);
  }
}

async function readRectangle(reader: ByteReader, screen: Pixels, { pixelBytes }: PixelFormat): Promise<number> {
  const head = await reader.read(12);
  const [x, y, columns, rows] = [
    head.readUInt16BE(0),
    head.readUInt16BE(2),
    head.readUInt16BE(4),
    head.readUInt16BE(6),
  ];
  if (head.readInt32BE(8) !== RAW) throw new Error("The screen used an encoding that was not requested.");
  if (x + columns > screen.width || y + rows > screen.height)
    throw new Error("The screen sent pixels outside its size.");
  const pixels = new Uint8Array(screen.data);
  const rowBytes = columns * pixelBytes;
  const start = (y * screen.width + x) * pixelBytes;
  if (columns === screen.width) {
    await reader.take(rowBytes * rows, (bytes, at) => pixels.set(bytes, start + at));
  } else {
    for (let row = 0; row < rows; row += 1) {
      const from = start + row * screen.width * pixelBytes;
      await reader.take(rowBytes, (bytes, at) => pixels.set(bytes, from + at));
    }
  }
  return columns * rows;
}
