import type { Writable } from "node:stream";
import type { Size } from "../../domain/browser/screen.ts";
import { ByteReader, type ReadLimits } from "../rfb/byte-reader.ts";

/** Little-endian byte order, as on all supported machines, and protocol version 11.0. */
const [BYTE_ORDER, MAJOR, MINOR] = [0x6c, 11, 0] as const;
export const COOKIE_NAME = "MIT-MAGIC-COOKIE-1";

/** Types of messages from the server. All other messages are events, which are ignored. */
const [ERROR, REPLY] = [0, 1] as const;
const MESSAGE_BYTES = 32;
/** Enough for a client that sends a few requests and receives replies of a few kilobytes. */
const LIMITS: ReadLimits = { maxBytes: 2 ** 20, maxReads: 10_000 };

/** An X client that sends its requests one at a time. */
export type X11Client = {
  readonly root: number;
  /** The size of the screen when the client connected. */
  readonly screen: Size;
  /** Sends a request that has no reply. @param head The opcode and the byte after it. */
  tell(head: readonly [number, number], ...fields: readonly Buffer[]): void;
  /** Returns the reply to a request. @throws {Error} If this or an earlier request fails, or the connection closes. */
  ask(head: readonly [number, number], ...fields: readonly Buffer[]): Promise<Buffer>;
};

/** Logs in to an X server. @throws {Error} If the server rejects the cookie or the protocol. */
export async function openX11(stream: Writable & AsyncIterable<Uint8Array>, cookie: Buffer): Promise<X11Client> {
  const reader = new ByteReader(stream, LIMITS);
  const name = Buffer.from(COOKIE_NAME);
  const lengths = [MAJOR, MINOR, name.length, cookie.length, 0].map(uint16);
  stream.write(Buffer.concat([Buffer.of(BYTE_ORDER, 0), ...lengths, pad(name), pad(cookie)]));
  const head = await reader.read(8);
  const body = await reader.read(4 * head.readUInt16LE(6));
  if (head[0] !== 1) throw new Error("The screen rejected the server's cookie or protocol.");
  const screenAt = 32 + toPadded(body.readUInt16LE(16)) + 8 * body.readUInt8(21);
  const tell: X11Client["tell"] = ([opcode, next], ...fields) => {
    const content = Buffer.concat(fields);
    stream.write(Buffer.concat([Buffer.of(opcode, next), uint16(1 + content.length / 4), content]));
  };
  return {
    root: body.readUInt32LE(screenAt),
    screen: { width: body.readUInt16LE(screenAt + 20), height: body.readUInt16LE(screenAt + 22) },
    tell,
    async ask(request, ...fields) {
      tell(request, ...fields);
      for (;;) {
        const message = await reader.read(MESSAGE_BYTES);
        const [kind, code] = message;
        if (kind === ERROR)
          throw new Error(`The screen refused request ${message[10]}.${message[8]} with error ${code}.`);
        if (kind === REPLY) return Buffer.concat([message, await reader.read(4 * message.readUInt32LE(4))]);
      }
    },
  };
}

export function uint16(value: number): Buffer {
  return Buffer.of(value, value >> 8);
}

export function uint32(value: number): Buffer {
  return Buffer.of(value, value >> 8, value >> 16, value >> 24);
}

/** Pads bytes to a multiple of 4. */
export function pad(bytes: Buffer): Buffer {
  return Buffer.concat([bytes], toPadded(bytes.length));
}

function toPadded(length: number): number {
  return 4 * Math.ceil(length / 4);
}
