/** Reads exact numbers of bytes from a stream. */
export class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(stream: AsyncIterable<Buffer>) {
    this.#chunks = stream[Symbol.asyncIterator]();
  }

  /** @throws {Error} When the stream ends first. */
  async read(length: number): Promise<Buffer> {
    const chunks = [this.#rest];
    let missing = length - this.#rest.length;
    while (missing > 0) {
      const chunk = await this.#next();
      chunks.push(chunk);
      missing -= chunk.length;
    }
    const all = Buffer.concat(chunks);
    this.#rest = all.subarray(length);
    return all.subarray(0, length);
  }

  /** Skips bytes without keeping them in memory. */
  async skip(length: number): Promise<void> {
    let missing = length;
    while (missing > this.#rest.length) {
      missing -= this.#rest.length;
      this.#rest = await this.#next();
    }
    this.#rest = this.#rest.subarray(missing);
  }

  async #next(): Promise<Buffer> {
    const { value, done } = await this.#chunks.next();
    if (done === true) throw new Error("The stream has ended.");
    return value;
  }
}
