import { PNG } from "pngjs";
import { expect, test } from "vitest";
import { shrink } from "./shrink.ts";

const [RED, GREEN, BLUE, WHITE] = [0xf800, 0x07e0, 0x001f, 0xffff];

/** Creates a screen with a colour for each pixel. */
function toScreen(width: number, height: number, colourAt: (x: number, y: number) => number | undefined) {
  const data = new SharedArrayBuffer(2 * width * height);
  const all = new Uint16Array(data);
  for (const index of all.keys()) all[index] = colourAt(index % width, Math.floor(index / width)) ?? 0;
  return { width, height, data };
}

function at({ data, width }: PNG, x: number, y: number): number[] {
  return [...data.subarray(4 * (y * width + x), 4 * (y * width + x) + 4)];
}

test("a screen is shrunk to 640 pixels and keeps its colours", () => {
  const screen = toScreen(1920, 1080, (x, y) => (y < 540 ? (x < 960 ? RED : GREEN) : x < 960 ? BLUE : WHITE));
  const png = PNG.sync.read(Buffer.from(shrink(screen)));
  expect([png.width, png.height]).toEqual([640, 360]);
  expect([at(png, 0, 0), at(png, 639, 0), at(png, 0, 359), at(png, 639, 359)]).toEqual([
    [255, 0, 0, 255],
    [0, 255, 0, 255],
    [0, 0, 255, 255],
    [255, 255, 255, 255],
  ]);
});

test("each pixel of the picture is the mean of a square of the screen", () => {
  const png = PNG.sync.read(Buffer.from(shrink(toScreen(1280, 2, (x, y) => ((x + y) % 2 === 0 ? WHITE : 0)))));
  expect([png.width, png.height, at(png, 320, 0)]).toEqual([640, 1, [128, 128, 128, 255]]);
});

test.each([
  [320, 180, 320, 180],
  [641, 480, 320, 240],
  [300, 2000, 75, 500],
  [4096, 1, 585, 1],
  [1, 1, 1, 1],
])("a screen of %i × %i is shrunk to a picture of %i × %i", (width, height, columns, rows) => {
  const png = PNG.sync.read(Buffer.from(shrink(toScreen(width, height, () => GREEN))));
  expect([png.width, png.height]).toEqual([columns, rows]);
  expect(at(png, columns - 1, rows - 1)[1]).toBeGreaterThan(30);
});
