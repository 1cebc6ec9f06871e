/** A text with its length as a 32-bit prefix. Like all numbers in RFB, the length is big endian. */
export function toText(text: string): Buffer {
  return Buffer.concat([toUint32(text.length), Buffer.from(text, "latin1")]);
}

export function toUint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

export function toUint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

export function toInt32(value: number): Buffer {
  return toUint32(value >>> 0);
}
