/** Encodes text, preceded by its 32-bit length. All numbers in RFB are big-endian. */
export function toText(text: string): Buffer {
  return Buffer.concat([toUint32(text.length), Buffer.from(text, "latin1")]);
}

export function toUint16(value: number): Buffer {
  return Buffer.of(value >> 8, value);
}

/** Encodes negative numbers in two's complement. */
export function toUint32(value: number): Buffer {
  return Buffer.of(value >> 24, value >> 16, value >> 8, value);
}
