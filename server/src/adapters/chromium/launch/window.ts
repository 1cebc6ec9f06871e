import type { Size } from "../../../domain/browser/screen.ts";
import type { BrowserSpec } from "../../../ports/browser-host.ts";
import type { Sandbox } from "../../../ports/sandboxes.ts";
import { valueOf } from "./switch-of.ts";

/** A window that fits its screen. */
type Dimensions = {
  /** Of the window, in CSS pixels. */
  readonly window: Size;
  /** Of the screen, in device pixels. */
  readonly screen: Size;
};

/** The browser's profile, relative to the sandbox's folder. */
export const PROFILE_FOLDER = "profile";

/**
 * Decides the sizes of window and screen: the size in the client's switches, or else a window as large as the screen. A
 * real screen limits the window; a headless browser's screen grows with the window.
 * @param size Of the display, in device pixels. Headless browsers report a screen of this size.
 */
export function toDimensions(
  { isHeadless, switches }: Pick<BrowserSpec, "isHeadless" | "switches">,
  size: Size,
): Dimensions {
  const scale = Number(valueOf(switches, "--force-device-scale-factor") ?? 1);
  const requested = readSize(valueOf(switches, "--window-size"));
  if (isHeadless) {
    const window = requested ?? size;
    return { window, screen: map(max(size, window), (length) => Math.round(length * scale)) };
  }
  const largest = map(size, (length) => Math.floor(length / scale));
  return { window: min(requested ?? largest, largest), screen: size };
}

/**
 * Writes the preferences of a graphical browser: main windows fill the screen, whether the window manager runs by then
 * or not. A size on the command line would also apply to pop-ups, whatever their pages ask for; a client's own size
 * takes precedence over the preferences. Chromium's own frame would take pixels from windows that aren't maximized.
 */
export async function writePreferences(
  sandbox: Pick<Sandbox, "writeFile">,
  spec: Pick<BrowserSpec, "isHeadless" | "switches">,
  size: Size,
): Promise<void> {
  const { width, height } = toDimensions(spec, size).window;
  const screen = { work_area_left: 0, work_area_top: 0, work_area_right: width, work_area_bottom: height };
  const placement = { left: 0, top: 0, right: width, bottom: height, maximized: false, ...screen };
  const preferences = {
    browser: { custom_chrome_frame: false, window_placement: placement },
    // The page would wait for a dialog of the system's. Clients can still make a PDF of it.
    printing: { enabled: false },
  };
  await sandbox.writeFile(`${PROFILE_FOLDER}/Default/Preferences`, JSON.stringify(preferences));
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
