import type { components } from "@remote-browser/contract/types";
import { Failure } from "../failure.ts";

type WireScreen = components["schemas"]["Screen"];

/** Width and height. */
export type Size = { readonly width: number; readonly height: number };

/** The screen that browsers have unless an option says otherwise, in pixels. */
export const USUAL_SCREEN: Size = { width: 1920, height: 1080 };

/** The most device pixels of a page: each takes memory in the browser, in its screen and in a screenshot. */
const MAX_DEVICE_PIXELS = 2 ** 24;

/** CSS pixels that a headless browser's screen is higher than a large page: for tabs, address bar and notices. */
const FRAME_HEIGHT = 160;

/**
 * Reads the size of the first page.
 * @returns The size in CSS pixels, and the switches of a browser whose page can get this size.
 * @throws {Failure} `BadRequest` for a size that no page can have.
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
    throw refusal(`has ${pixels} device pixels (${shown}), and ${most} are the most: choose a smaller size or Scale`);
  }
  // Below 1, a device pixel is larger than a CSS pixel.
  if (scale < 1 && !(isWhole(columns) && isWhole(rows))) {
    throw refusal(`is not a whole number of device pixels wide and high (${shown}): choose another size, or Scale 1`);
  }
  const isLarge = width > USUAL_SCREEN.width || height + FRAME_HEIGHT > USUAL_SCREEN.height;
  return {
    page: { width, height },
    // The screen of a headless browser can't change later.
    switches: isHeadless && isLarge ? [`--window-size=${width},${height + FRAME_HEIGHT}`] : [],
  };
}

function isWhole(pixels: number): boolean {
  return Math.abs(pixels - Math.round(pixels)) < 1e-6;
}

function refusal(message: string): Failure {
  return new Failure("BadRequest", `Screen ${message}.`, { errors: [{ path: "/Screen", message }] });
}
