import { once } from "node:events";
import { connect } from "node:net";
import type { Duplex } from "node:stream";
import { createWebSocketStream, WebSocket } from "ws";
import { answerChallenge, ByteReader } from "../../../server/test/interface.ts";

const VERSION_BYTES = 12;
const CHALLENGE_BYTES = 16;
const VNC_AUTHENTICATION = 2;
const RAW = 0;
/** 32 bits a pixel, little endian, red highest. */
const FORMAT = [32, 24, 0, 1, 0, 255, 0, 255, 0, 255, 16, 8, 0, 0, 0, 0];

/** A viewer of a desktop that does as little as one can: pictures come uncompressed, and are not shown. */
export class Viewer implements Disposable {
  readonly #socket: Duplex;
  readonly #reader: ByteReader;
  #width = 0;
  #height = 0;

  private constructor(socket: Duplex) {
    this.#socket = socket.on("error", () => {});
    this.#reader = new ByteReader(socket);
  }

  /** @param url Where the service lets viewers in. @throws {Error} When it refuses. */
  static async open(url: string, password: string): Promise<Viewer> {
    const socket = new WebSocket(url, { perMessageDeflate: false });
    // At once: what the screen says first may come with the answer to the upgrade.
    const stream = createWebSocketStream(socket).on("error", () => {});
    await once(socket, "open");
    return Viewer.#enter(stream, password);
  }

  /** @param path Of the screen's own socket. @throws {Error} When nothing listens, or the password is wrong. */
  static async openDirectly(path: string, password: string): Promise<Viewer> {
    const socket = connect(path);
    await once(socket, "connect");
    return Viewer.#enter(socket, password);
  }

  static async #enter(socket: Duplex, password: string): Promise<Viewer> {
    const viewer = new Viewer(socket);
    try {
      await viewer.#greet(password);
      return viewer;
    } catch (error) {
      viewer[Symbol.dispose]();
      throw error;
    }
  }

  async #greet(password: string): Promise<void> {
    const reader = this.#reader;
    this.#socket.write(await reader.read(VERSION_BYTES));
    const [types = 0] = await reader.read(1);
    await reader.skip(types);
    this.#socket.write(Uint8Array.of(VNC_AUTHENTICATION));
    this.#socket.write(answerChallenge(password, await reader.read(CHALLENGE_BYTES)));
    if ((await reader.read(4)).readUInt32BE() !== 0) throw new Error("The screen refused the password.");
    this.#socket.write(Uint8Array.of(1));
    const init = await reader.read(24);
    [this.#width, this.#height] = [init.readUInt16BE(0), init.readUInt16BE(2)];
    await reader.skip(init.readUInt32BE(20));
    this.#socket.write(Uint8Array.from([0, 0, 0, 0, ...FORMAT, 2, 0, 0, 1, 0, 0, 0, RAW]));
  }

  get size(): string {
    return `${this.#width}×${this.#height}`;
  }

  /** Asks for the whole screen. Resolves when it is there. @returns The colour of a pixel on it. */
  async look(x: number, y: number): Promise<number> {
    this.#ask("everything");
    let colour: number | undefined;
    for (let missing = this.#width * this.#height; missing > 0;) {
      const update = await this.#readUpdate(x, y);
      missing -= update.pixels;
      colour = update.colour ?? colour;
    }
    if (colour === undefined) throw new Error(`The screen has no pixel ${x}, ${y}.`);
    return colour;
  }

  /** Presses a key, and waits until a pixel has another colour than this. @returns Its new one. */
  async press(keysym: number, x: number, y: number, before: number): Promise<number> {
    this.#ask("changes");
    this.#socket.write(
      Buffer.concat([1, 0].map((isDown) => Buffer.of(4, isDown, 0, 0, 0, 0, keysym >> 8, keysym & 255))),
    );
    for (;;) {
      const { colour = before } = await this.#readUpdate(x, y);
      if (colour !== before) return colour;
      this.#ask("changes");
    }
  }

  click(x: number, y: number): void {
    const events = [0, 1, 0].map((buttons) => Buffer.of(5, buttons, x >> 8, x & 255, y >> 8, y & 255));
    this.#socket.write(Buffer.concat(events));
  }

  [Symbol.dispose](): void {
    this.#socket.destroy();
  }

  #ask(what: "everything" | "changes"): void {
    const request = Buffer.of(3, what === "changes" ? 1 : 0, 0, 0, 0, 0, 0, 0, 0, 0);
    request.writeUInt16BE(this.#width, 6);
    request.writeUInt16BE(this.#height, 8);
    this.#socket.write(request);
  }

  /** Reads up to the end of the next piece of the screen. @returns Its pixels, and the colour of one if that is among them. */
  async #readUpdate(x: number, y: number): Promise<{ readonly pixels: number; readonly colour: number | undefined }> {
    for (;;) {
      const [type] = await this.#reader.read(1);
      if (type === 0) break;
      if (type === 3) await this.#reader.skip((await this.#reader.read(7)).readUInt32BE(3));
      else if (type !== 2) throw new Error(`The screen sent a message ${type}.`);
    }
    const rectangles = (await this.#reader.read(3)).readUInt16BE(1);
    let pixels = 0;
    let colour: number | undefined;
    for (let index = 0; index < rectangles; index += 1) {
      const head = await this.#reader.read(12);
      const [left, top, width, height] = [
        head.readUInt16BE(0),
        head.readUInt16BE(2),
        head.readUInt16BE(4),
        head.readUInt16BE(6),
      ];
      const bytes = await this.#reader.read(4 * width * height);
      pixels += width * height;
      const [column, row] = [x - left, y - top];
      if (column >= 0 && column < width && row >= 0 && row < height) {
        colour = bytes.readUInt32LE(4 * (row * width + column)) & 0xff_ff_ff;
      }
    }
    return { pixels, colour };
  }
}
