/** How a viewer wants its pixels (RFC 6143, section 7.4); colour maps are not spoken here. */
export type PixelFormat = {
  readonly bytesPerPixel: number;
  readonly isBigEndian: boolean;
  /** Of red, green and blue: the largest value, and how far to the left it stands. */
  readonly channels: readonly { readonly max: number; readonly shift: number }[];
};

export const FORMAT_BYTES = 16;

/** 32 bits a pixel, little endian, red highest: what is sent to who wants nothing else. */
export const OWN_FORMAT: Buffer = Buffer.from([32, 24, 0, 1, 0, 255, 0, 255, 0, 255, 16, 8, 0, 0, 0, 0]);

/** @returns Undefined for a format with a colour map, or of a size that is none. */
export function readFormat(bytes: Buffer): PixelFormat | undefined {
  const [bits = 0, , isBigEndian, isTrueColour] = bytes;
  if (isTrueColour === 0 || ![8, 16, 32].includes(bits)) return undefined;
  const channels = [0, 1, 2].map((at) => ({ max: bytes.readUInt16BE(4 + 2 * at), shift: (bytes[10 + at] ?? 0) & 31 }));
  return { bytesPerPixel: bits / 8, isBigEndian: isBigEndian !== 0, channels };
}

/** So many pixels of one colour. */
export function paint(colour: readonly [number, number, number], format: PixelFormat, pixels: number): Buffer {
  const { bytesPerPixel, isBigEndian, channels } = format;
  let value = 0;
  for (const [at, { max, shift }] of channels.entries()) value |= Math.round(((colour[at] ?? 0) * max) / 255) << shift;
  const bytes = Buffer.alloc(4);
  if (isBigEndian) bytes.writeUInt32BE(value >>> 0);
  else bytes.writeUInt32LE(value >>> 0);
  const pixel = isBigEndian ? bytes.subarray(4 - bytesPerPixel) : bytes.subarray(0, bytesPerPixel);
  return Buffer.alloc(pixels * bytesPerPixel, pixel);
}
