import type { components } from "@remote-browser/contract/types";
import { badRequest } from "../failure.ts";

type WireScreen = components["schemas"]["Screen"];

export type Size = { readonly width: number; readonly height: number };

/** The default screen, in pixels. */
export const USUAL_SCREEN: Size = { width: 1920, height: 1080 };

/** The maximum page size. Each device pixel uses memory in the browser, its screen and its screenshots. */
const MAX_DEVICE_PIXELS = 2 ** 24;

/** Extra screen height for tabs, the address bar and notices of a headless browser with a large page, in CSS pixels. */
const FRAME_HEIGHT = 160;

/**
 * Reads the first page's size.
 * @returns The size in CSS pixels, and the switches that set it.
 * @throws {Failure} `BadRequest` for an impossible size.
 */
export function readScreen(
  { Width: width, Height: height, Scale }: WireScreen,
  isHeadless: boolean,
): { readonly page: Size; readonly switches: readonly string[] } {
  const scale = Scale ?? 1;
  const [columns, rows] = [width * scale, height * scale];
  const shown = `${width}×${height} at Scale ${scale}`;
  if (columns * rows > MAX_DEVICE_PIXELS) {
    const [pixels, most] = [Math.round(columns * rows), MAX_DEVICE_PIXELS].map((count) => count.toLocaleString("en"));
    const message = `has ${pixels} device pixels (${shown}), more than the maximum of ${most}: choose a smaller size or Scale`;
    throw badRequest("/Screen", "Screen", message);
  }
  // At a scale below 1, a device pixel is larger than a CSS pixel.
  if (scale < 1 && !(isWhole(columns) && isWhole(rows))) {
    const message = `is not a whole number of device pixels wide and high (${shown}): choose another size, or Scale 1`;
    throw badRequest("/Screen", "Screen", message);
  }
  const isLarge = width > USUAL_SCREEN.width || height + FRAME_HEIGHT > USUAL_SCREEN.height;
  return {
    page: { width, height },
    // A headless browser's screen can't be resized later.
    switches: isHeadless && isLarge ? [`--window-size=${width},${height + FRAME_HEIGHT}`] : [],
  };
}

function isWhole(pixels: number): boolean {
  return Math.abs(pixels - Math.round(pixels)) < 1e-6;
}
