import { once } from "node:events";
import { connect } from "node:net";
import type { Duplex } from "node:stream";
import { createWebSocketStream, WebSocket } from "ws";
import { answerChallenge, ByteReader } from "../../../server/test/interface.ts";

const VERSION_BYTES = 12;
const CHALLENGE_BYTES = 16;
const VNC_AUTHENTICATION = 2;
const RAW = 0;
/** 32 bits per pixel, little-endian, red in the highest byte. */
const FORMAT = [32, 24, 0, 1, 0, 255, 0, 255, 0, 255, 16, 8, 0, 0, 0, 0];

/** Distance that keeps the on-screen pointer away from the pixel. */
const POINTER_DISTANCE = 100;

/** A minimal desktop viewer, which receives uncompressed pictures and doesn't show them. */
export class Viewer implements Disposable {
  readonly #socket: Duplex;
  readonly #reader: ByteReader;
  #width = 0;
  #height = 0;

  private constructor(socket: Duplex) {
    this.#socket = socket.on("error", () => {});
    this.#reader = new ByteReader(socket);
  }

  /** @param url The service's WebSocket URL for viewers. @throws {Error} If the service rejects the connection. */
  static async open(url: string, password: string): Promise<Viewer> {
    const socket = new WebSocket(url, { perMessageDeflate: false });
    // Create the stream before "open", because the screen's first bytes may arrive with the response to the upgrade.
    const stream = createWebSocketStream(socket).on("error", () => {});
    await once(socket, "open");
    return Viewer.#start(stream, password);
  }

  /** @param path The path of the screen's own socket. @throws {Error} If the screen rejects the password. */
  static async openDirectly(path: string, password: string): Promise<Viewer> {
    const socket = connect(path);
    await once(socket, "connect");
    return Viewer.#start(socket, password);
  }

  static async #start(socket: Duplex, password: string): Promise<Viewer> {
    const viewer = new Viewer(socket);
    try {
      await viewer.#handshake(password);
      return viewer;
    } catch (error) {
      viewer[Symbol.dispose]();
      throw error;
    }
  }

  async #handshake(password: string): Promise<void> {
    const reader = this.#reader;
    this.#socket.write(await reader.read(VERSION_BYTES));
    const [types = 0] = await reader.read(1);
    await reader.take(types);
    this.#socket.write(Uint8Array.of(VNC_AUTHENTICATION));
    this.#socket.write(answerChallenge(password, await reader.read(CHALLENGE_BYTES)));
    if ((await reader.read(4)).readUInt32BE() !== 0) throw new Error("The screen rejected the password.");
    this.#socket.write(Uint8Array.of(1));
    const init = await reader.read(24);
    [this.#width, this.#height] = [init.readUInt16BE(0), init.readUInt16BE(2)];
    await reader.take(init.readUInt32BE(20));
    this.#socket.write(Uint8Array.from([0, 0, 0, 0, ...FORMAT, 2, 0, 0, 1, 0, 0, 0, RAW]));
  }

  get size(): string {
    return `${this.#width}×${this.#height}`;
  }

  /** Requests the whole screen and waits until it has arrived. @returns The colour of a pixel. */
  async readScreen(x: number, y: number): Promise<number> {
    this.#request("everything");
    let colour: number | undefined;
    for (let missing = this.#width * this.#height; missing > 0;) {
      const update = await this.#readUpdate(x, y);
      missing -= update.pixels;
      colour = update.colour ?? colour;
    }
    if (colour === undefined) throw new Error(`The screen has no pixel ${x}, ${y}.`);
    return colour;
  }

  /** Presses a key and waits until the colour of a pixel changes. @returns The new colour. */
  press(keysym: number, x: number, y: number, before: number): Promise<number> {
    const events = [1, 0].map((isDown) => Buffer.of(4, isDown, 0, 0, 0, 0, keysym >> 8, keysym & 255));
    return this.#sendUntilChanged(Buffer.concat(events), x, y, before);
  }

  /** Clicks beside a pixel and waits until the pixel's colour changes. @returns The new colour. */
  click(x: number, y: number, before: number): Promise<number> {
    const [left, top] = [x + POINTER_DISTANCE, y + POINTER_DISTANCE];
    const events = [0, 1, 0].map((buttons) => Buffer.of(5, buttons, left >> 8, left & 255, top >> 8, top & 255));
    return this.#sendUntilChanged(Buffer.concat(events), x, y, before);
  }

  async #sendUntilChanged(events: Buffer, x: number, y: number, before: number): Promise<number> {
    this.#request("changes");
    this.#socket.write(events);
    for (;;) {
      const { colour = before } = await this.#readUpdate(x, y);
      if (colour !== before) return colour;
      this.#request("changes");
    }
  }

  [Symbol.dispose](): void {
    this.#socket.destroy();
  }

  #request(what: "everything" | "changes"): void {
    const request = Buffer.of(3, what === "changes" ? 1 : 0, 0, 0, 0, 0, 0, 0, 0, 0);
    request.writeUInt16BE(this.#width, 6);
    request.writeUInt16BE(this.#height, 8);
    this.#socket.write(request);
  }

  /** Reads the next update. @returns The number of updated pixels, and the given pixel's colour if updated. */
  async #readUpdate(x: number, y: number): Promise<{ readonly pixels: number; readonly colour: number | undefined }> {
    for (;;) {
      const [type] = await this.#reader.read(1);
      if (type === 0) break;
      if (type === 3) await this.#reader.take((await this.#reader.read(7)).readUInt32BE(3));
      else if (type !== 2) throw new Error(`The screen sent an unexpected message of type ${type}.`);
    }
    const rectangles = (await this.#reader.read(3)).readUInt16BE(1);
    let pixels = 0;
    let colour: number | undefined;
    for (let index = 0; index < rectangles; index += 1) {
      const head = await this.#reader.read(12);
      const [left = 0, top = 0, width = 0, height = 0] = [0, 2, 4, 6].map((at) => head.readUInt16BE(at));
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
