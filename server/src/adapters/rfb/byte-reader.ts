/** Limits on everything that is read from a stream. A tenant's program may write to the stream. */
export type ReadLimits = {
  readonly maxBytes: number;
  /** Maximum number of reads, because even short reads take time. */
  readonly maxReads: number;
};

/** Reads exact numbers of bytes from a stream, copying each byte once. */
export class ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #limits: ReadLimits;
  #rest: Uint8Array = new Uint8Array();
  #bytes = 0;
  #reads = 0;

  constructor(stream: AsyncIterable<Uint8Array>, limits: ReadLimits = { maxBytes: Infinity, maxReads: Infinity }) {
    this.#chunks = stream[Symbol.asyncIterator]();
    this.#limits = limits;
  }

  /** Passes the next bytes to `part` in chunks. @throws {Error} If the stream ends first, or a limit is exceeded. */
  async take(length: number, part: (bytes: Uint8Array, at: number) => void = () => {}): Promise<void> {
    this.#count(length);
    let at = 0;
    while (at < length) {
      if (this.#rest.length === 0) this.#rest = await this.#next();
      const bytes = this.#rest.subarray(0, length - at);
      part(bytes, at);
      at += bytes.length;
      this.#rest = this.#rest.subarray(bytes.length);
    }
  }

  /** @throws {Error} See `take`. */
  async read(length: number): Promise<Buffer> {
    // Check the length before allocating memory.
    this.#check(length);
    const all = Buffer.alloc(length);
    await this.take(length, (bytes, at) => all.set(bytes, at));
    return all;
  }

  #count(length: number): void {
    this.#check(length);
    this.#bytes += length;
    this.#reads += 1;
  }

  #check(length: number): void {
    const { maxBytes, maxReads } = this.#limits;
    if (this.#bytes + length > maxBytes) throw new Error(`The screen sent more than ${maxBytes} bytes.`);
    if (this.#reads >= maxReads) throw new Error(`The screen sent more than ${maxReads} values.`);
  }

  async #next(): Promise<Uint8Array> {
    const { value, done } = await this.#chunks.next();
    if (done === true) throw new Error("The stream has ended.");
    return value;
  }
}
