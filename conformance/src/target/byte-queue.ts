/** A buffer that is written and read in chunks of different sizes. */
export class ByteQueue {
  #bytes: Buffer = Buffer.alloc(0);
  #failure: Error | undefined;
  #waiting: (() => void) | undefined;

  push(bytes: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, bytes]);
    this.#waiting?.();
  }

  /** Ends the input. Reads beyond the remaining bytes are rejected with the first call's error. */
  fail(error: Error): void {
    this.#failure ??= error;
    this.#waiting?.();
  }

  /** Supports one reader at a time. @throws {Error} The error passed to `fail`, if the input ends too early. */
  async read(count: number): Promise<Buffer> {
    while (this.#bytes.length < count) {
      if (this.#failure !== undefined) throw this.#failure;
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting = resolve;
      await promise;
    }
    const read = this.#bytes.subarray(0, count);
    this.#bytes = this.#bytes.subarray(count);
    return read;
  }

  async readNumber(bytes: number): Promise<number> {
    return (await this.read(bytes)).readUIntBE(0, bytes);
  }
}
