/** Bytes that came in pieces, to be read in pieces of another size. */
export class ByteQueue {
  #bytes: Buffer = Buffer.alloc(0);
  #failure: Error | undefined;
  #waiting: (() => void) | undefined;

  push(bytes: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, bytes]);
    this.#waiting?.();
  }

  /** Nothing more will come; who reads beyond what is there gets this error, the first if there are several. */
  fail(error: Error): void {
    this.#failure ??= error;
    this.#waiting?.();
  }

  /** One reader at a time. @throws {Error} The one that `fail` was given, when so many bytes do not come any more. */
  async read(count: number): Promise<Buffer> {
    while (this.#bytes.length < count) {
      if (this.#failure !== undefined) throw this.#failure;
      await new Promise<void>((resolve) => {
        this.#waiting = resolve;
      });
    }
    const read = this.#bytes.subarray(0, count);
    this.#bytes = this.#bytes.subarray(count);
    return read;
  }

  async readNumber(bytes: number): Promise<number> {
    return (await this.read(bytes)).readUIntBE(0, bytes);
  }
}
