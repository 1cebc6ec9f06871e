import type { BrowserSpec } from "../../ports/browser-host.ts";
import { valueOf } from "./switch-of.ts";

/** Width and height. */
export type Size = { readonly width: number; readonly height: number };

/** Sizes that fit together, whatever a client asked for. */
export type Dimensions = {
  /** Of the window, in the pixels that pages count in. */
  readonly window: Size;
  /** Of the screen, in its own pixels. */
  readonly screen: Size;
};

/**
 * Decides how large window and screen are: as the client says, or the window as large as the screen. A real screen cuts
 * off what is larger, so the window is made to fit; one that is only thought of grows with it.
 * @param size Of the screen that graphical browsers are shown on, and others think they are, in its own pixels.
 */
export function toDimensions(
  { isHeadless, switches }: Pick<BrowserSpec, "isHeadless" | "switches">,
  size: Size,
): Dimensions {
  const scale = Number(valueOf(switches, "--force-device-scale-factor") ?? 1);
  const wanted = readSize(valueOf(switches, "--window-size"));
  if (isHeadless) {
    const window = wanted ?? size;
    return { window, screen: map(max(size, window), (length) => Math.round(length * scale)) };
  }
  const largest = map(size, (length) => Math.floor(length / scale));
  return { window: min(wanted ?? largest, largest), screen: size };
}

function readSize(text: string | undefined): Size | undefined {
  const [width, height] = text?.split(",").map(Number) ?? [];
  return width === undefined || height === undefined ? undefined : { width, height };
}

function min(one: Size, other: Size): Size {
  return { width: Math.min(one.width, other.width), height: Math.min(one.height, other.height) };
}

function max(one: Size, other: Size): Size {
  return { width: Math.max(one.width, other.width), height: Math.max(one.height, other.height) };
}

function map({ width, height }: Size, change: (length: number) => number): Size {
  return { width: change(width), height: change(height) };
}
