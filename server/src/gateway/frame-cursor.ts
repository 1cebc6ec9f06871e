const CLOSE_OPCODE = 0x8;
const LONGEST_HEADER = 14;

/**
 * Follows one direction of a WebSocket (RFC 6455, section 5.2) from frame header to frame header, in pieces of any
 * size, and knows whether another frame may be written between what has passed and what comes. It never looks at
 * payloads: its work grows with the number of frames, not of bytes.
 */
export class FrameCursor {
  readonly #header = new Uint8Array(LONGEST_HEADER);
  #headerBytes = 0;
  #payloadLeft = 0;
  #hasClosed = false;

  /** All frames that have begun are complete. */
  get isAtBoundary(): boolean {
    return this.#headerBytes === 0 && this.#payloadLeft === 0;
  }

  /** A close frame has begun: no frame may follow it. */
  get hasClosed(): boolean {
    return this.#hasClosed;
  }

  advance(chunk: Uint8Array): void {
    let at = 0;
    while (at < chunk.length) {
      if (this.#payloadLeft > 0) {
        const passed = Math.min(this.#payloadLeft, chunk.length - at);
        this.#payloadLeft -= passed;
        at += passed;
      } else {
        this.#header[this.#headerBytes] = chunk[at] ?? 0;
        this.#headerBytes += 1;
        at += 1;
        if (this.#headerBytes >= 2) this.#readHeader();
      }
    }
  }

  #readHeader(): void {
    const opcode = this.#header[0] ?? 0;
    const length = this.#header[1] ?? 0;
    const shortLength = length & 0x7f;
    const lengthBytes = shortLength === 126 ? 2 : shortLength === 127 ? 8 : 0;
    const maskBytes = length & 0x80 ? 4 : 0;
    if (this.#headerBytes < 2 + lengthBytes + maskBytes) return;
    this.#payloadLeft = shortLength;
    if (lengthBytes > 0) {
      this.#payloadLeft = 0;
      for (let at = 2; at < 2 + lengthBytes; at += 1) {
        // Not shifts: a length may take more than 32 bits.
        this.#payloadLeft = this.#payloadLeft * 256 + (this.#header[at] ?? 0);
      }
    }
    this.#headerBytes = 0;
    if ((opcode & 0x0f) === CLOSE_OPCODE) this.#hasClosed = true;
  }
}
