import type { ByteReader } from "../rfb/byte-reader.ts";
import { FORMAT_BYTES, OWN_FORMAT, type PixelFormat, paint, readFormat } from "./pixel-format.ts";
import { toUint16, toUint32 } from "../rfb/rfb-bytes.ts";

export const COLOUR = [38, 94, 136] as const;
export const WIDTH = 320;
export const HEIGHT = 180;

/** RFB encodings: raw pixels and screen size messages. */
const RAW = 0;
const EXTENDED_DESKTOP_SIZE = -308;
/** Fields of a size message: the source of the change, and its result. */
const ASKED_BY_VIEWER = 1;
const PROHIBITED = 1;

export type Access = "full" | "view-only";

/** Writes to the viewer, and waits if the viewer reads slowly. */
export type Send = (...parts: readonly Buffer[]) => Promise<void>;

/** The messages after the handshake (RFC 6143, section 7.5). */
export class Viewing {
  readonly #reader: ByteReader;
  readonly #send: Send;
  readonly #access: Access;
  #format: PixelFormat | undefined = readFormat(OWN_FORMAT);
  /** Whether the viewer supports size messages, but hasn't received one. */
  #awaitsSize = false;
  #isUnseen = true;

  constructor(reader: ByteReader, send: Send, access: Access) {
    this.#reader = reader;
    this.#send = send;
    this.#access = access;
  }

  async run(): Promise<never> {
    for (;;) {
      const [type] = await this.#reader.read(1);
      await this.#handle(type ?? -1);
    }
  }

  #handle(type: number): Promise<void> {
    switch (type) {
      case 0:
        return this.#setPixelFormat();
      case 2:
        return this.#setEncodings();
      case 3:
        return this.#update();
      case 4: // A key.
        return this.#reader.take(7);
      case 5: // The pointer.
        return this.#reader.take(5);
      case 6:
        return this.#skipClipboard();
      case 251:
        return this.#setDesktopSize();
      default:
        throw new Error(`Unknown message type: ${type}.`);
    }
  }

  async #setPixelFormat(): Promise<void> {
    this.#format = readFormat((await this.#reader.read(3 + FORMAT_BYTES)).subarray(3));
  }

  async #setEncodings(): Promise<void> {
    const count = (await this.#reader.read(3)).readUInt16BE(1);
    const encodings = await this.#reader.read(4 * count);
    for (let at = 0; at < count; at += 1) {
      if (encodings.readInt32BE(4 * at) === EXTENDED_DESKTOP_SIZE) this.#awaitsSize = true;
    }
  }

  /** Answers full requests and the first incremental request. Ignores later incremental requests. */
  async #update(): Promise<void> {
    const request = await this.#reader.read(9);
    if (request[0] === 0) this.#isUnseen = true;
    if (this.#awaitsSize) {
      this.#awaitsSize = false;
      // As with a real screen, the response contains only the size, and the viewer has to request the pixels again.
      return this.#send(Buffer.from([0, 0]), toUint16(1), ...toSize(0, 0));
    }
    if (!this.#isUnseen || this.#format === undefined) return;
    this.#isUnseen = false;
    const [x, y] = [Math.min(request.readUInt16BE(1), WIDTH), Math.min(request.readUInt16BE(3), HEIGHT)];
    const width = Math.min(request.readUInt16BE(5), WIDTH - x);
    const height = Math.min(request.readUInt16BE(7), HEIGHT - y);
    const rectangle = [x, y, width, height].map(toUint16);
    const pixels = paint(COLOUR, this.#format, width * height);
    await this.#send(Buffer.from([0, 0]), toUint16(1), ...rectangle, toUint32(RAW), pixels);
  }

  async #skipClipboard(): Promise<void> {
    // A negative length means the extended format.
    const length = (await this.#reader.read(7)).readInt32BE(3);
    await this.#reader.take(Math.abs(length));
  }

  /** Rejects resizing, as a real screen does. Ignores view-only viewers. */
  async #setDesktopSize(): Promise<void> {
    const screens = (await this.#reader.read(7))[5] ?? 0;
    await this.#reader.take(16 * screens);
    if (this.#access === "view-only") return;
    await this.#send(Buffer.from([0, 0]), toUint16(1), ...toSize(ASKED_BY_VIEWER, PROHIBITED));
  }
}

/** Encodes a rectangle with the size of the desktop and its only screen. */
function toSize(reason: number, result: number): Buffer[] {
  const size = [toUint16(WIDTH), toUint16(HEIGHT)];
  const screen = [toUint32(0), toUint32(0), ...size, toUint32(0)];
  const count = Buffer.from([1, 0, 0, 0]);
  return [toUint16(reason), toUint16(result), ...size, toUint32(EXTENDED_DESKTOP_SIZE), count, ...screen];
}
