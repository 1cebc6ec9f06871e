const CLOSE_OPCODE = 0x8;
const LONGEST_HEADER = 14;

/**
 * Parses the frame headers in one direction of a WebSocket (RFC 6455, section 5.2), in chunks of any size, to find out
 * where another frame can be inserted. Skips payloads, so the work depends on the number of frames, not bytes.
 */
export class FrameCursor {
  readonly #header = new Uint8Array(LONGEST_HEADER);
  #headerBytes = 0;
  #payloadLeft = 0;
  /** Whether a close frame has begun. Nothing may follow a close frame. */
  hasClosed = false;
  /** The length of the longest frame that has begun, with its header, in bytes. */
  longestFrame = 0;

  /** Whether every frame that has begun is complete. */
  get isAtBoundary(): boolean {
    return this.#headerBytes === 0 && this.#payloadLeft === 0;
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
        // Multiply instead of shifting, because a length can exceed 32 bits.
        this.#payloadLeft = this.#payloadLeft * 256 + (this.#header[at] ?? 0);
      }
    }
    this.longestFrame = Math.max(this.longestFrame, this.#headerBytes + this.#payloadLeft);
    this.#headerBytes = 0;
    if ((opcode & 0x0f) === CLOSE_OPCODE) this.hasClosed = true;
  }
}

/** A control frame's payload has at most 125 bytes, including two for the code (RFC 6455, section 5.5). */
const MAX_REASON_BYTES = 123;

/** Encodes a server's close frame. Truncates a long reason after a whole character. */
export function toCloseFrame(code: number, reason: string): Buffer {
  const payload = Buffer.alloc(2 + MAX_REASON_BYTES);
  payload.writeUInt16BE(code);
  const { written } = new TextEncoder().encodeInto(reason, payload.subarray(2));
  return Buffer.concat([Buffer.from([0x88, 2 + written]), payload.subarray(0, 2 + written)]);
}
