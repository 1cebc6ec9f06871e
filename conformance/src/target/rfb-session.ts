import type { ByteQueue } from "./byte-queue.ts";
import { within } from "./socket.ts";
import type { Screen } from "./rfb-handshake.ts";

/** Encodings: raw pixels, and screen size changes. */
const RAW = 0;
const EXTENDED_DESKTOP_SIZE = -308;
const SCREEN_BYTES = 16;
/** Values in a resize response: requested by this viewer, and granted. */
const ASKED_BY_ME = 1;
const GRANTED = 0;

/** The response to a resize request. Undefined means no response. */
export type Resizing = "granted" | "refused" | undefined;

/** The messages between a viewer and a screen after the handshake (RFC 6143, sections 7.5 and 7.6). */
export class RfbSession {
  readonly #bytes: ByteQueue;
  readonly #send: (bytes: Buffer) => void;
  readonly #screen: Screen;
  /** The first screen layout that the server announces. */
  readonly #layout = Promise.withResolvers<Buffer>();
  #asked:
    | { readonly width: number; readonly height: number; readonly resolve: (outcome: Resizing) => void }
    | undefined;

  constructor(bytes: ByteQueue, send: (bytes: Buffer) => void, screen: Screen) {
    this.#bytes = bytes;
    this.#send = send;
    this.#screen = screen;
  }

  async resize(width: number, height: number, withinMs: number): Promise<Resizing> {
    this.#send(toMessage(2, [0], [2, 2], [RAW, 4], [EXTENDED_DESKTOP_SIZE, 4]));
    this.#send(toMessage(3, [0], [0, 2], [0, 2], [1, 2], [1, 2]));
    const layout = (await within(this.#layout.promise, withinMs)) ?? Buffer.alloc(SCREEN_BYTES);
    const { promise, resolve } = Promise.withResolvers<Resizing>();
    this.#asked = { width, height, resolve };
    const [size, position] = [[width, height].map((side) => [side, 2] as const), [0, 4] as const];
    const id = [layout.readUInt32BE(), 4] as const;
    this.#send(toMessage(251, [0], ...size, [1], [0], id, position, ...size, [0, 4]));
    this.#send(toMessage(3, [1], [0, 2], [0, 2], [1, 2], [1, 2]));
    return within(promise, withinMs);
  }

  click(x: number, y: number): void {
    for (const buttons of [0, 1, 0]) this.#send(toMessage(5, [buttons], [x, 2], [y, 2]));
  }

  type(text: string): void {
    // The keysym of a Latin-1 character equals its character code.
    for (const letter of Buffer.from(text, "latin1")) {
      for (const isDown of [1, 0]) this.#send(toMessage(4, [isDown], [0, 2], [letter, 4]));
    }
  }

  /** @throws {Error} If the connection ends, or a message has an unknown type. */
  async listen(): Promise<never> {
    for (;;) {
      const type = await this.#bytes.readNumber(1);
      if (type === 0) await this.#readUpdate();
      else if (type === 1) await this.#skipColours();
      else if (type === 3) await this.#skipClipboard();
      else if (type !== 2) throw new Error(`The server sent an unknown message of type ${type}.`);
    }
  }

  async #readUpdate(): Promise<void> {
    const count = (await this.#bytes.read(3)).readUInt16BE(1);
    for (let at = 0; at < count; at += 1) {
      const head = await this.#bytes.read(12);
      const [x = 0, y = 0, width = 0, height = 0] = [0, 2, 4, 6].map((offset) => head.readUInt16BE(offset));
      const encoding = head.readInt32BE(8);
      if (encoding === EXTENDED_DESKTOP_SIZE) await this.#readSize({ reason: x, result: y, width, height });
      else if (encoding === RAW) await this.#bytes.read(width * height * this.#screen.bytesPerPixel);
      else throw new Error(`The server used encoding ${encoding}, which the viewer did not request.`);
    }
  }

  async #readSize(size: { reason: number; result: number; width: number; height: number }): Promise<void> {
    const [count = 0] = await this.#bytes.read(4);
    const screens = await this.#bytes.read(SCREEN_BYTES * count);
    if (count > 0) this.#layout.resolve(screens);
    const { width, height, resolve } = this.#asked ?? {};
    if (size.width === width && size.height === height) resolve?.("granted");
    else if (size.reason === ASKED_BY_ME) resolve?.(size.result === GRANTED ? "granted" : "refused");
  }

  async #skipColours(): Promise<void> {
    await this.#bytes.read(6 * (await this.#bytes.read(5)).readUInt16BE(3));
  }

  async #skipClipboard(): Promise<void> {
    // The length is negative in the extended clipboard format.
    await this.#bytes.read(Math.abs((await this.#bytes.read(7)).readInt32BE(3)));
  }
}

/** Encodes a message from its type and fields. Each field has a value and a size in bytes (default 1). */
function toMessage(type: number, ...fields: readonly (readonly [value: number, bytes?: number])[]): Buffer {
  const parts = fields.map(([value, bytes = 1]) => {
    const part = Buffer.alloc(bytes);
    if (value < 0) part.writeIntBE(value, 0, bytes);
    else part.writeUIntBE(value, 0, bytes);
    return part;
  });
  return Buffer.concat([Buffer.of(type), ...parts]);
}
