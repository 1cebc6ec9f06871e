const FAMILY_WILD = 0xffff;
const COOKIE_NAME = "MIT-MAGIC-COOKIE-1";

/** Bytes of a cookie that lets programs onto a display. */
export const COOKIE_BYTES = 16;

/**
 * An Xauthority file with one entry that fits every display: family, address, display number, name and data, each text
 * after its length in 16 bits (Xau(3)).
 */
export function toXauthority(cookie: Buffer): Buffer {
  const fields = [Buffer.alloc(0), Buffer.alloc(0), Buffer.from(COOKIE_NAME), cookie].flatMap((field) => [
    toUint16(field.length),
    field,
  ]);
  return Buffer.concat([toUint16(FAMILY_WILD), ...fields]);
}

function toUint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}
