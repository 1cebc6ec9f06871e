import { PNG } from "pngjs";
import { THUMBNAIL_PIXELS } from "../../ports/display.ts";
import type { Pixels } from "./rfb-client.ts";

const COLOURS = 3;
/** Maximum values of red, green and blue in the screen's pixels. */
const MAX = [31, 63, 31] as const;
/** PNG's colour type for pixels without transparency. */
const RGB = 2;

/** Encodes a screen as a small PNG. Each pixel is the mean of a square of screen pixels. */
export function shrink({ width, height, data }: Pixels): Uint8Array {
  const side = Math.ceil(Math.max(width, height) / THUMBNAIL_PIXELS);
  const [columns, rows] = [Math.max(1, Math.floor(width / side)), Math.max(1, Math.floor(height / side))];
  // Little-endian pixels, as on all supported machines.
  const from = new Uint16Array(data);
  const to = Buffer.alloc(columns * rows * COLOURS);
  const sums = new Uint32Array(columns * COLOURS);
  const area = side * side;
  for (let row = 0; row < rows; row += 1) {
    sums.fill(0);
    for (let line = row * side; line < (row + 1) * side; line += 1) addLine(from, line * width, side, sums);
    for (let at = 0; at < sums.length; at += 1) {
      const mean = (sums[at] ?? 0) / area / (MAX[at % COLOURS] ?? 1);
      to[row * sums.length + at] = Math.round(mean * 255);
    }
  }
  const png = new PNG({ width: columns, height: rows });
  png.data = to;
  return PNG.sync.write(png, { colorType: RGB, inputColorType: RGB, inputHasAlpha: false, deflateLevel: 6 });
}

/** Adds a screen line to the sums of red, green and blue. */
function addLine(from: Uint16Array, start: number, side: number, sums: Uint32Array): void {
  let at = start;
  for (let sum = 0; sum < sums.length; sum += COLOURS) {
    let [red, green, blue] = [0, 0, 0];
    for (let count = 0; count < side; count += 1, at += 1) {
      const pixel = from[at] ?? 0;
      red += pixel >> 11;
      green += (pixel >> 5) & 63;
      blue += pixel & 31;
    }
    sums[sum] = (sums[sum] ?? 0) + red;
    sums[sum + 1] = (sums[sum + 1] ?? 0) + green;
    sums[sum + 2] = (sums[sum + 2] ?? 0) + blue;
  }
}
