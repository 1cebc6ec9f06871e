import type { Duplex } from "node:stream";
import { ByteReader } from "../../../src/adapters/rfb/byte-reader.ts";
import { answerChallenge } from "../../../src/adapters/rfb/vnc-auth.ts";

/** A snapshot of the whole screen. */
type Picture = {
  readonly width: number;
  readonly height: number;
  /** Returns a pixel's red, green and blue as six hexadecimal digits. */
  at(x: number, y: number): string;
};

/** A VNC viewer that connects directly to a screen's socket. Disposing disconnects it. */
export type RfbClient = Disposable & {
  readonly name: string;
  /** Requests a picture of the whole screen, and waits for it. */
  capture(): Promise<Picture>;
  /** Presses the keys with these keysyms at the same time, and releases them. */
  press(...keysyms: readonly number[]): void;
  type(text: string): void;
  /** Moves the mouse with these buttons pressed: 1 is left, 8 is wheel up, and 16 is wheel down. */
  point(x: number, y: number, buttons: number): void;
  click(x: number, y: number): void;
  /** Drags slowly, as users do: waits for the screen between steps. */
  drag(from: readonly [number, number], to: readonly [number, number]): Promise<void>;
  /** Copies Latin-1 text to the screen's clipboard. */
  setClipboard(text: string): void;
  /** Resolves with the first clipboard text that the screen sends. */
  readonly clipboard: Promise<string>;
  /** Requests another size. The screen ignores requests from view-only viewers. */
  resize(width: number, height: number): void;
  /** Resolves with the result of `resize`: 0 (done), 1 (prohibited) or 3 (invalid). */
  readonly resized: Promise<number>;
  /** Resolves when the connection is closed. */
  readonly closed: Promise<unknown>;
};

/** Thrown when the screen refuses the viewer. */
export class RfbRefusal extends Error {}

const RAW = 0;
const EXTENDED_DESKTOP_SIZE = -308;
/** 32 bits per pixel, little-endian, with red in the highest bits. */
const FORMAT = [32, 24, 0, 1, 0, 255, 0, 255, 0, 255, 16, 8, 0, 0, 0, 0];

/** @throws {RfbRefusal} If the password is wrong. */
export async function openRfb(socket: Duplex, password: string): Promise<RfbClient> {
  const closed = new Promise((resolve) => {
    socket.on("error", () => {}).once("close", resolve);
  });
  const reader = new ByteReader(socket);
  const readNumber = async (): Promise<number> => (await reader.read(4)).readUInt32BE();
  const readText = async (): Promise<string> => (await reader.read(await readNumber())).toString("latin1");
  socket.write(await reader.read(12));
  const [types = 0] = await reader.read(1);
  if (types === 0) throw new RfbRefusal(await readText());
  await reader.take(types);
  socket.write(Uint8Array.of(2));
  socket.write(answerChallenge(password, await reader.read(16)));
  if ((await readNumber()) !== 0) throw new RfbRefusal(await readText());
  socket.write(Uint8Array.of(1));
  const init = await reader.read(20);
  const [width, height] = [init.readUInt16BE(0), init.readUInt16BE(2)];
  const name = await readText();
  socket.write(Uint8Array.from([0, 0, 0, 0, ...FORMAT]));
  socket.write(toMessage(2, [0], [1, 2], [RAW, 4]));

  const { promise: resized, resolve: onResized } = Promise.withResolvers<number>();
  const { promise: clipboard, resolve: onCopied } = Promise.withResolvers<string>();
  let capturing: PromiseWithResolvers<Picture> | undefined;
  const pixels = Buffer.alloc(4 * width * height);
  /** Number of pixels in the requested picture that haven't arrived. */
  let missing = 0;
  const shoot = (): Picture => {
    const shot = Buffer.from(pixels);
    const at = (x: number, y: number): string =>
      (shot.readUInt32LE(4 * (y * width + x)) & 0xffffff).toString(16).padStart(6, "0");
    return { width, height, at };
  };
  const readRectangle = async (): Promise<void> => {
    const head = await reader.read(12);
    const [x = 0, y = 0, columns = 0, rows = 0] = [0, 2, 4, 6].map((at) => head.readUInt16BE(at));
    if (head.readInt32BE(8) === EXTENDED_DESKTOP_SIZE) {
      await reader.take(16 * ((await reader.read(4))[0] ?? 0));
      if (x === 1) onResized(y);
      return;
    }
    const bytes = await reader.read(4 * columns * rows);
    for (let row = 0; row < rows; row += 1) {
      bytes.copy(pixels, 4 * ((y + row) * width + x), 4 * row * columns, 4 * (row + 1) * columns);
    }
    missing -= columns * rows;
    if (missing <= 0) capturing?.resolve(shoot());
  };
  const listen = async (): Promise<never> => {
    for (;;) {
      const [type] = await reader.read(1);
      if (type === 0) {
        const count = (await reader.read(3)).readUInt16BE(1);
        for (let at = 0; at < count; at += 1) await readRectangle();
      } else if (type === 3) onCopied((await reader.read((await reader.read(7)).readUInt32BE(3))).toString("latin1"));
      else if (type !== 2) throw new Error(`Unknown message ${type}.`);
    }
  };
  let failure: unknown;
  listen().catch((error: unknown) => {
    failure = error;
    capturing?.reject(error);
    socket.destroy();
  });

  const press = (...keysyms: readonly number[]): void => {
    for (const keysym of keysyms) socket.write(toMessage(4, [1], [0, 2], [keysym, 4]));
    for (const keysym of keysyms.toReversed()) socket.write(toMessage(4, [0], [0, 2], [keysym, 4]));
  };
  const point = (x: number, y: number, buttons: number): void => {
    socket.write(toMessage(5, [buttons], [x, 2], [y, 2]));
  };
  const capture = (): Promise<Picture> => {
    capturing = Promise.withResolvers<Picture>();
    if (failure !== undefined) capturing.reject(failure);
    missing = width * height;
    socket.write(toMessage(3, [0], [0, 4], [width, 2], [height, 2]));
    return capturing.promise;
  };
  return {
    name,
    capture,
    press,
    type(text) {
      // A Latin letter's keysym is its code point.
      for (const letter of text) press(letter.codePointAt(0) ?? 0);
    },
    point,
    click(x, y) {
      for (const buttons of [0, 1, 0]) point(x, y, buttons);
    },
    async drag([fromX, fromY], [toX, toY]) {
      point(fromX, fromY, 0);
      point(fromX, fromY, 1);
      for (const part of [0.1, 0.5, 1]) {
        await capture();
        point(Math.round(fromX + part * (toX - fromX)), Math.round(fromY + part * (toY - fromY)), 1);
      }
      await capture();
      point(toX, toY, 0);
    },
    setClipboard(text) {
      socket.write(toMessage(6, [0, 3], [text.length, 4]));
      socket.write(text, "latin1");
    },
    resize(toWidth, toHeight) {
      // Announce resizing only now: an earlier size rectangle would be counted as a requested picture.
      socket.write(toMessage(2, [0], [2, 2], [RAW, 4], [EXTENDED_DESKTOP_SIZE, 4]));
      const size = [
        [toWidth, 2],
        [toHeight, 2],
      ] as const;
      socket.write(toMessage(251, [0], ...size, [1], [0], [0, 4], [0, 4], ...size, [0, 4]));
    },
    resized,
    clipboard,
    closed,
    [Symbol.dispose]: () => void socket.destroy(),
  };
}

/** Encodes a message. Each field has a value and a length in bytes, which defaults to 1. */
function toMessage(type: number, ...fields: readonly (readonly [value: number, bytes?: number])[]): Buffer {
  const parts = fields.map(([value, bytes = 1]) => {
    const part = Buffer.alloc(bytes);
    if (value < 0) part.writeIntBE(value, 0, bytes);
    else part.writeUIntBE(value, 0, bytes);
    return part;
  });
  return Buffer.concat([Buffer.of(type), ...parts]);
}
