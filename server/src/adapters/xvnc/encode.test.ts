import { PNG } from "pngjs";
import { expect, test } from "vitest";
import { encode } from "./encode.ts";

test("a screen is encoded as a PNG with the same size and colours", () => {
  const pixels = [
    [255, 0, 0],
    [0, 255, 0],
    [0, 0, 255],
    [1, 2, 3],
    [250, 128, 7],
    [0, 0, 0],
  ];
  const data = new SharedArrayBuffer(4 * pixels.length);
  // The fourth byte of a pixel is unused.
  new Uint8Array(data).set(pixels.flatMap((colour) => [...colour, 99]));
  const png = PNG.sync.read(Buffer.from(encode({ width: 3, height: 2, data })));
  expect([png.width, png.height]).toEqual([3, 2]);
  expect([...png.data]).toEqual(pixels.flatMap((colour) => [...colour, 255]));
});
