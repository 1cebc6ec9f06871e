const TEXT = 0x1;
const CLOSE = 0x8;
const FINAL = 0x80;
const MASKED = 0x80;

/** A message, as the chunks in which it arrived. */
export type Message = readonly Buffer[];

/**
 * Encodes text as one client frame (RFC 6455, section 5.2). The mask is zero, so the payload is unchanged. Any other
 * mask would take longer than the rest of the client's work, and distort the measurement.
 */
export function toFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  const { length } = payload;
  const extended = length < 126 ? 0 : length < 65_536 ? 2 : 8;
  const header = Buffer.alloc(2 + extended + 4);
  header[0] = FINAL | TEXT;
  header[1] = MASKED | (extended === 0 ? length : extended === 2 ? 126 : 127);
  if (extended === 2) header.writeUInt16BE(length, 2);
  if (extended === 8) header.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([header, payload]);
}

/** Splits a server's bytes into messages without copying or decoding them. */
export class FrameReader {
  readonly #onMessage: (message: Message) => void;
  readonly #onClose: () => void;
  #head: Buffer = Buffer.alloc(0);
  #parts: Buffer[] = [];
  #payloadLeft = 0;
  #isFinal = false;
  #isControl = false;

  /** @param onClose Called when the server sends a close frame. */
  constructor(onMessage: (message: Message) => void, onClose: () => void) {
    this.#onMessage = onMessage;
    this.#onClose = onClose;
  }

  push(received: Buffer): void {
    let chunk = received;
    while (chunk.length > 0) {
      if (this.#payloadLeft === 0) {
        chunk = this.#readHeader(chunk);
        continue;
      }
      const payload = chunk.subarray(0, this.#payloadLeft);
      chunk = chunk.subarray(payload.length);
      this.#payloadLeft -= payload.length;
      if (!this.#isControl) this.#parts.push(payload);
      if (this.#payloadLeft === 0) this.#endFrame();
    }
  }

  /** @returns The bytes after the header; empty while the header is incomplete. */
  #readHeader(chunk: Buffer): Buffer {
    const seen = this.#head.length === 0 ? chunk : Buffer.concat([this.#head, chunk]);
    const [first, second] = seen;
    const length = second === 126 ? 4 : second === 127 ? 10 : 2;
    if (first === undefined || second === undefined || seen.length < length) {
      this.#head = seen;
      return Buffer.alloc(0);
    }
    this.#head = Buffer.alloc(0);
    this.#payloadLeft = length === 2 ? second : length === 4 ? seen.readUInt16BE(2) : Number(seen.readBigUInt64BE(2));
    this.#isFinal = (first & FINAL) !== 0;
    this.#isControl = (first & CLOSE) !== 0;
    if ((first & 0x0f) === CLOSE) this.#onClose();
    if (this.#payloadLeft === 0) this.#endFrame();
    return seen.subarray(length);
  }

  #endFrame(): void {
    if (this.#isControl || !this.#isFinal) return;
    const message = this.#parts;
    this.#parts = [];
    this.#onMessage(message);
  }
}
