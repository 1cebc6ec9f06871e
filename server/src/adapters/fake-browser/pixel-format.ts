/** A viewer's pixel format (RFC 6143, section 7.4). Colour maps aren't supported. */
export type PixelFormat = {
  readonly bytesPerPixel: number;
  readonly isBigEndian: boolean;
  /** The maximum value and the left shift of the red, green and blue channels. */
  readonly channels: readonly { readonly max: number; readonly shift: number }[];
};

export const FORMAT_BYTES = 16;

/** The default: 32 bits per pixel, little endian, red in the highest bits. */
export const OWN_FORMAT: Buffer = Buffer.from([32, 24, 0, 1, 0, 255, 0, 255, 0, 255, 16, 8, 0, 0, 0, 0]);

/** @returns Undefined if the format has a colour map or an invalid size. */
export function readFormat(bytes: Buffer): PixelFormat | undefined {
  const [bits = 0, , isBigEndian, isTrueColour] = bytes;
  if (isTrueColour === 0 || ![8, 16, 32].includes(bits)) return undefined;
  const channels = [0, 1, 2].map((at) => ({ max: bytes.readUInt16BE(4 + 2 * at), shift: (bytes[10 + at] ?? 0) & 31 }));
  return { bytesPerPixel: bits / 8, isBigEndian: isBigEndian !== 0, channels };
}

/** Encodes `pixels` pixels of one colour. */
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
