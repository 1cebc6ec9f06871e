/** Reads exact numbers of bytes from a stream, and copies each byte once. */
export class ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array();

  constructor(stream: AsyncIterable<Uint8Array>) {
    this.#chunks = stream[Symbol.asyncIterator]();
  }

  /** Passes the next bytes on in parts. @throws {Error} When the stream ends first. */
  async take(length: number, part: (bytes: Uint8Array, at: number) => void = () => {}): Promise<void> {
    let at = 0;
    while (at < length) {
      if (this.#rest.length === 0) this.#rest = await this.#next();
      const bytes = this.#rest.subarray(0, length - at);
      part(bytes, at);
      at += bytes.length;
      this.#rest = this.#rest.subarray(bytes.length);
    }
  }

  /** @throws {Error} When the stream ends first. */
  async read(length: number): Promise<Buffer> {
    const all = Buffer.alloc(length);
    await this.take(length, (bytes, at) => all.set(bytes, at));
    return all;
  }

  async #next(): Promise<Uint8Array> {
    const { value, done } = await this.#chunks.next();
    if (done === true) throw new Error("The stream has ended.");
    return value;
  }
}
